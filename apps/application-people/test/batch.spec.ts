import { TwoReplicas } from './two-replicas.js';
import { resourceHref, type WebClient } from './web-client.js';

let world: TwoReplicas;
let alice: WebClient;
let A: string;
let batch: string;

beforeAll(async () => {
  world = await TwoReplicas.start([
    { user: 'alice', name: 'Alice Archer', contacts: ['bob'] },
    { user: 'bob', name: 'Bob Baker' },
  ]);
  alice = await world.user('alice');
  const application = await alice.create('batch');
  A = resourceHref(application);
  batch = resourceHref(application, 'batch');
});
afterAll(() => world.stop());

function part(line: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ['--X', 'Content-Type: application/http; msgtype=request', '', line, ...head, '', body, ''].join('\r\n');
}

function send(body: string, client = alice, type = 'multipart/batching;boundary=X'): Promise<Response> {
  const headers = { 'content-type': type, accept: 'multipart/batching' };
  return client.post(batch, body, headers);
}

/** The parts of a response, parsed as the known clients do it. */
async function answers(parts: readonly string[], client = alice): Promise<readonly string[]> {
  const response = await send(`${parts.join('')}--X--`, client);
  expect(response.status).toBe(200);
  const [, boundary = ''] =
    /^multipart\/batching; boundary="(.+)"$/.exec(response.headers.get('content-type') ?? '') ?? [];
  const text = await response.text();
  expect(text.endsWith(`\r\n--${boundary}--\r\n`)).toBe(true);
  const inner = text
    .slice(`--${boundary}\r\n`.length, -`\r\n--${boundary}--\r\n`.length)
    .split(`\r\n--${boundary}\r\n`);
  const start = 'Content-Type: application/http; msgtype=response\r\n\r\n';
  expect(inner.filter((each) => !each.startsWith(start))).toEqual([]);
  return inner.map((each) => each.slice(start.length));
}

async function refusal(response: Response): Promise<unknown> {
  const { code, subcode, message } = Object(await response.json());
  return [response.status, code, subcode, message];
}

describe('a batch', () => {
  it('answers each of its requests as if it had been sent alone, in their order', async () => {
    const contacts = await (await alice.get(`${A}/people/contacts`)).text();
    const note = { 'Content-Type': 'application/json' };
    const [first, second, third, fourth] = await answers([
      part(`GET ${A}/people/contacts HTTP/1.1`, { Host: 'elsewhere.test', Accept: 'application/json' }),
      part(`POST ${A}/people/groups HTTP/1.1`, note, '{"displayName":"Batched"}'),
      part(`GET https://elsewhere.test${A}/nothing`, { Accept: 'application/xml' }),
      part(`GET ${A}/policies HTTP/1.1`),
    ]);
    expect(first).toBe(
      `HTTP/1.1 200 OK\r\nCache-Control: no-cache\r\nContent-Type: application/json\r\n\r\n${contacts}`,
    );
    expect(second).toBe('HTTP/1.1 204 No Content\r\n\r\n');
    expect(third).toMatch(/^HTTP\/1.1 404 Not Found\r\nContent-Type: application\/xml; charset=utf-8\r\n\r\n<\?xml/);
    expect(fourth).toMatch(/\r\nETag: W\/"\d+"\r\nContent-Type: application\/json\r\n\r\n\{[^\r\n]+\}$/);
    expect(await (await alice.get(`${A}/people/groups`)).text()).toContain('"Batched"');
  });

  it('is authorized as a whole, whatever its parts contain', async () => {
    const bob = await world.user('bob');
    const own = resourceHref(await bob.create('batch'));
    const stolen = part(`GET ${own}/me HTTP/1.1`, { Authorization: `Bearer ${bob.token}` });
    expect((await send(stolen)).status).toBe(400);
    const [me] = await answers([part(`GET ${A}/me HTTP/1.1`, { Authorization: `Bearer ${bob.token}` })]);
    expect(me).toContain('"uri":"sip:alice@example.test"');
    expect((await send(part(`GET ${A}/me HTTP/1.1`), bob)).status).toBe(404);
    const ticket = await fetch(alice.base + batch, {
      method: 'POST',
      headers: { 'content-type': 'multipart/batching;boundary=X', 'X-Ringdown-WebTicket': alice.token },
      body: part(`GET ${A}/me HTTP/1.1`),
    });
    expect(await ticket.text()).toContain('HTTP/1.1 200 OK');
    const nobody = await fetch(alice.base + batch, { method: 'POST', body: part(`GET ${A}/me HTTP/1.1`) });
    expect(nobody.status).toBe(401);
  });

  it('passes on conditional headers of its requests', async () => {
    const { etag = '' } = await alice.read(`${A}/people/groups/pinned`);
    const [unchanged, newer] = await answers([
      part(`GET ${A}/people/groups/pinned HTTP/1.1`, { 'If-None-Match': `"${etag}"` }),
      part(`GET ${A}/me HTTP/1.1`, { 'X-Ringdown-RequiresMinResourceVersion': '9' }),
    ]);
    expect(unchanged).toMatch(/^HTTP\/1.1 304 Not Modified\r\n/);
    expect(newer).toContain('"subcode":"APIVersionNotSupported"');
  });

  it('accepts at most a hundred requests, and processes nothing of a larger one', async () => {
    const group = part(`POST ${A}/people/groups HTTP/1.1`, {}, '{"displayName":"Too much"}');
    const response = await send(group + part(`GET ${A}/me HTTP/1.1`).repeat(100));
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await response.json()).toMatchObject({ code: 'TooManyRequests' });
    expect(await (await alice.get(`${A}/people/groups`)).text()).not.toContain('Too much');
    const all = await answers(Array.from({ length: 100 }, () => part(`GET ${A}/me HTTP/1.1`)));
    expect(all.filter((each) => each.startsWith('HTTP/1.1 200 OK'))).toHaveLength(100);
  });

  it.each(['batch', 'events?ack=1', 'photos/bob@example.test', '%62atch', 'people/../batch'])(
    'rejects requests for %s',
    async (path) => {
      const made = part(`POST ${A}/people/groups HTTP/1.1`, {}, '{"displayName":"Refused"}');
      const response = await send(made + part(`GET ${A}/${path} HTTP/1.1`));
      const [status, code, subcode] = (await refusal(response)) as readonly unknown[];
      expect([status, code, subcode]).toEqual([400, 'BadRequest', 'ParameterValidationFailure']);
      expect(await (await alice.get(`${A}/people/groups`)).text()).not.toContain('Refused');
    },
  );

  it('is multipart, with a boundary', async () => {
    const body = part(`GET ${A}/me HTTP/1.1`);
    expect((await send(body, alice, 'application/json')).status).toBe(415);
    expect((await send(body, alice, 'multipart/mixed; boundary=X')).status).toBe(415);
    expect(await refusal(await send(body, alice, 'multipart/batching'))).toEqual([
      400,
      'BadRequest',
      'DeserializationFailure',
      'The content type has no boundary.',
    ]);
    expect((await send('', alice)).status).toBe(400);
    expect((await send('x'.repeat(300_000), alice)).status).toBe(413);
  });
});

describe('a client that requires a version of the resources', () => {
  const header = 'X-Ringdown-RequiresMinResourceVersion';

  it.each(['1', '2', '2.0', '1.5', '02'])('gets version %s', async (version) => {
    expect((await alice.get(`${A}/me`, { [header]: version })).status).toBe(200);
  });

  it.each(['3', '2.1', '99999999999999999999'])('is rejected because version %s does not exist', async (version) => {
    const response = await alice.get(`${A}/me`, { [header]: version });
    expect(await refusal(response)).toEqual([
      404,
      'NotFound',
      'APIVersionNotSupported',
      `Version ${version} is not supported; the newest is 2.`,
    ]);
  });

  it.each(['two', '-1', '1e0', '2,3'])('is rejected because %s is not a version number', async (version) => {
    expect((await alice.get(`${A}/me`, { [header]: version })).status).toBe(400);
  });
});
