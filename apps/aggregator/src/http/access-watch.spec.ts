import { defaultProfile } from '@ringdown/vendor-profile';
import type { Principal, Role } from '@ringdown/token-validation';
import { createLogger } from '@ringdown/observability';
import fastify, { type FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { AccessWatch } from './access-watch.js';

const MEGABYTE = 1_048_576;
/** More than the buffers of the connection hold. */
const LONG = 24 * MEGABYTE;
const logger = createLogger('access', { logLevel: 'silent', logFormat: 'json' });

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(64 * 1_024, 'a');
}

describe('an answer under way', () => {
  let server: FastifyInstance;
  let watch: AccessWatch;
  /** Undefined for a token that is no longer valid. */
  let roles: readonly Role[] | undefined;
  let revoke: () => void;
  let isEnded: boolean;
  let subscribed: number;

  beforeEach(async () => {
    roles = ['user', 'operator', 'reveal'];
    isEnded = false;
    subscribed = 0;
    const principal = (): Principal | null =>
      roles === undefined ? null : { username: 'carol', sipAddress: 'sip:carol@a', roles, expiresAt: Infinity };
    const validator = {
      check: () => Promise.resolve(principal()),
      whenRevoked: (_token: string, callback: () => void) => {
        subscribed++;
        revoke = callback;
        return () => void subscribed--;
      },
    };
    watch = new AccessWatch({ validator, web: defaultProfile.web, logger, checkMs: 50 });
    server = fastify({ forceCloseConnections: true });
    server.addHook('onRequest', (request, reply, done) => {
      watch.follow(request, reply, { username: 'carol', roles: roles ?? [] });
      done();
    });
    server.get('/stream', (_request, reply) => reply.send(Readable.from(endless())));
    server.get('/whole', (_request, reply) => reply.send(Buffer.alloc(LONG, 'a')));
    server.get('/never', () => new Promise(() => undefined));
    server.get('/short', () => 'short');
    server.get('/own-end', (request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200).write('first');
      watch.endWith(request, () => {
        isEnded = true;
        reply.raw.end('last');
      });
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    watch.close();
    await server.close();
  });

  function ask(path: string): ReturnType<typeof get> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    const { port } = server.server.address() as AddressInfo;
    return get({ port, path, host: '127.0.0.1', headers: { authorization: 'Bearer abc' }, agent: false });
  }

  async function answer(path: string): Promise<IncomingMessage> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the event of a client request
    const [response] = (await once(
      ask(path).on('error', () => undefined),
      'response',
    )) as [IncomingMessage];
    return response;
  }

  /** The bytes that a client that reads nothing until the loss still gets, or `whole`. */
  async function rest(path: string, lose: () => void): Promise<number | 'whole'> {
    const response = await answer(path);
    let isWhole = false;
    response.on('error', () => undefined).on('end', () => (isWhole = true));
    await sleep(200);
    lose();
    await sleep(300);
    let bytes = 0;
    response.on('data', (chunk: Buffer) => (bytes += chunk.length));
    if (!response.closed) await new Promise((resolve) => response.once('close', resolve));
    return isWhole ? 'whole' : bytes;
  }

  it.each([
    ['its token is revoked', () => revoke()],
    ['its token is not valid any more', () => (roles = undefined)],
    ['its owner loses the role reveal', () => (roles = ['user', 'operator'])],
    ['its owner loses the role operator', () => (roles = ['user', 'reveal'])],
  ])('is cut off when %s', async (_why, lose) => {
    for (const path of ['/stream', '/whole']) {
      roles = ['user', 'operator', 'reveal'];
      expect(await rest(path, lose)).toBeLessThan(LONG / 2);
    }
  });

  it('is not given when it has not begun', async () => {
    const request = ask('/never');
    setTimeout(() => revoke(), 100);
    await expect(once(request, 'response')).rejects.toThrow('ECONNRESET');
  });

  it('continues while access stays, also when its owner gets a role', async () => {
    const response = await answer('/stream');
    roles = ['user', 'operator', 'reveal', 'admin'];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => (bytes += chunk.length));
    await sleep(300);
    const before = bytes;
    await sleep(300);
    expect(bytes).toBeGreaterThan(before);
    response.destroy();
  });

  it('gets nothing more of a handler that goes on, and its handler is told', async () => {
    const response = await answer('/own-end');
    let body = '';
    response.setEncoding('utf8').on('data', (text: string) => (body += text));
    await once(response, 'data');
    revoke();
    await expect(once(response, 'end')).rejects.toThrow('aborted');
    expect([body, isEnded]).toEqual(['first', true]);
  });

  it('is forgotten when it is complete', async () => {
    const response = await answer('/short');
    await once(response.resume(), 'end');
    await sleep(50);
    expect(subscribed).toBe(0);
  });
});
