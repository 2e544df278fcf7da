import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { RequestListener } from 'node:http';
import { generate } from 'selfsigned';
import type { AcmeFailure } from './acme-failure.js';
import { CaTransport, retryAfter } from './ca-transport.js';

/** As acme-client calls it; of a request it has what is read. */
async function failureOf(transport: CaTransport, url: string): Promise<AcmeFailure> {
  const config = { url, method: 'get', headers: { toJSON: () => ({}) } };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of a configuration is not read
  const asked = transport.adapter(config as never);
  return asked.then(
    () => {
      throw new Error('it was answered');
    },
    (failure: AcmeFailure) => failure,
  );
}

describe('requests to an authority', () => {
  const open: Server[] = [];
  let trusted: string;

  async function authority(answer: RequestListener): Promise<string> {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'test' }], {
      keyType: 'ec',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7 as const, ip: '127.0.0.1' }] }],
    });
    const server = createServer({ cert, key }, answer).listen(0, '127.0.0.1');
    open.push(server);
    trusted = cert;
    await once(server, 'listening');
    const { port }: { port?: number } = Object(server.address());
    return `https://127.0.0.1:${port}/new-order`;
  }

  afterAll(() => {
    for (const server of open) server.close().closeAllConnections();
  });

  it('report its problem with each name, and when it wants to be asked again', async () => {
    const problem = {
      type: 'urn:ietf:params:acme:error:rateLimited',
      detail: 'too many certificates',
      subproblems: [{ detail: 'uc.example.org:\n five' }],
    };
    const url = await authority((_request, response) =>
      response
        .writeHead(429, { 'content-type': 'application/problem+json', 'retry-after': '7200' })
        .end(JSON.stringify(problem)),
    );
    const failure = await failureOf(new CaTransport(trusted), url);
    expect(failure).toMatchObject({ kind: 'rateLimited', retryAfterMs: 7_200_000 });
    expect(failure.message).toMatch(/^127\.0\.0\.1:\d+ refuses: too many certificates; uc\.example\.org: five$/);
  });

  it.each([
    ['another program', 404, 'text/html', '<p>no such page'],
    ['a proxy that is broken', 502, 'application/json', '{"a'],
  ])('report the answer of %s', async (_what, status, type, body) => {
    const url = await authority((_request, response) => response.writeHead(status, { 'content-type': type }).end(body));
    const failure = await failureOf(new CaTransport(trusted), url);
    expect(failure.kind).toBe('unexpectedAnswer');
    expect(failure.message).toContain(`answers /new-order with ${status}`);
  });

  it('tell a server that is not there from one that is not trusted', async () => {
    const url = await authority(() => undefined);
    expect((await failureOf(new CaTransport(undefined), url)).kind).toBe('untrusted');
    open.at(-1)?.close();
    const gone = await failureOf(new CaTransport(trusted), url);
    expect(gone.kind).toBe('unreachable');
    expect(gone.message).toContain('ECONNREFUSED');
  });

  it.each<[string, (transport: CaTransport, server: Server | undefined) => void, string]>([
    ['they are stopped', (transport) => transport.close(), 'stopped'],
    ['the connection is lost', (_transport, server) => server?.closeAllConnections(), 'cannot be reached'],
  ])('end in the middle of an answer when %s', async (_when, end, message) => {
    const url = await authority((_request, response) =>
      response.writeHead(200, { 'content-length': 100 }).write('half'),
    );
    const server = open.at(-1);
    const transport = new CaTransport(trusted);
    const asked = failureOf(transport, url);
    setTimeout(() => end(transport, server), 200);
    expect((await asked).message).toContain(message);
  });

  it('end at once when they are stopped', async () => {
    const url = await authority(() => undefined);
    const transport = new CaTransport(trusted);
    const asked = failureOf(transport, url);
    setTimeout(() => transport.close(), 50);
    expect((await asked).message).toBe('stopped');
  });

  it.each([
    ['120', 120_000],
    ['Sun, 01 Nov 2026 00:01:00 GMT', 60_000],
    ['Sun, 01 Nov 2026 00:00:00 GMT', 0],
    ['Sat, 31 Oct 2026 00:00:00 GMT', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('read Retry-After %j', (value, ms) => {
    expect(retryAfter(value, Date.parse('2026-11-01T00:00:00Z'))).toBe(ms);
  });
});
