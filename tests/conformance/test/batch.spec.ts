import { at, header, json, textAt, type Answer } from '../src/answer.js';
import { createSession, type Session } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

describe('batches and versions (interface A)', () => {
  const client = new WebClient();
  const { names, user } = client.system;
  let session: Session;
  let batch: string;

  beforeAll(async () => {
    session = await createSession(client, user, unique('batch-'));
    batch = textAt(session.application, '_links', 'batch', 'href');
  });
  afterAll(() => client.close());

  const part = (line: string, accept = 'application/json', body = ''): string =>
    [
      '--boundary',
      'Content-Type: application/http; msgtype=request',
      '',
      line,
      'Host: uc.example.test',
      `Accept: ${accept}`,
      '',
      body,
      '',
    ].join('\r\n');
  const send = (body: string, type = 'multipart/batching;boundary=boundary'): Promise<Answer> =>
    client.call('sendBatch', {
      method: 'POST',
      url: batch,
      token: session.token,
      headers: { 'content-type': type, accept: 'multipart/batching' },
      body,
    });
  /** Head and body of each part, as browsers that know this interface parse the response. */
  const parts = (answer: Answer): readonly { readonly head: string; readonly body: string }[] => {
    const [, boundary = ''] = /boundary="([^"]+)"/.exec(header(answer, 'content-type') ?? '') ?? [];
    const inner = answer.body.split(`--${boundary}`).slice(1, -1);
    return inner.map((each) => {
      const [type = '', head = '', body = ''] = each.trim().split('\r\n\r\n');
      expect(type).toBe('Content-Type: application/http; msgtype=response');
      return { head, body };
    });
  };

  it('respond like single requests, in JSON and XML', async () => {
    const { contacts, self, token } = session;
    const xml = `${names.mediaType}+xml`;
    const answer = await send(
      `\r\n${part(`GET ${contacts} HTTP/1.1`)}${part(`GET ${contacts} HTTP/1.1`, xml)}${part(`GET ${self}/nothing HTTP/1.1`)}`,
    );
    const [asJson, asXml, missing] = parts(answer);
    const single = await client.call('readContacts', { url: contacts, token });
    const singleXml = await client.call('readContacts', { url: contacts, token, headers: { accept: xml } });
    expect(asJson?.head).toMatch(/^HTTP\/1.1 200 OK\r\n(?:.+\r\n)*Content-Type: application\/json$/);
    expect(asJson?.body).toBe(single.body);
    expect(asXml?.body).toBe(singleXml.body);
    expect(missing?.head).toMatch(/^HTTP\/1.1 404 /);
    expect(at(JSON.parse(missing?.body ?? ''), 'code')).toBe('NotFound');
  });

  it('are rejected as a whole when they are malformed, too large, or contain other requests', async () => {
    const me = part(`GET ${session.self}/me HTTP/1.1`);
    expect((await send(me, 'multipart/batching')).status).toBe(400);
    expect((await send(me, 'application/json')).status).toBe(415);
    expect((await send('--boundary\r\n\r\nnonsense\r\n')).status).toBe(400);
    expect((await send(me + part(`FETCH ${session.self}/me HTTP/1.1`))).status).toBe(400);
    expect((await send(me.repeat(101))).status).toBe(429);
    const events = textAt(session.application, '_links', 'events', 'href');
    for (const url of [batch, events, '/api/calls']) {
      expect((await send(me + part(`GET ${url} HTTP/1.1`))).status).toBe(400);
    }
  });

  it('need a signed-in user', async () => {
    const headers = { 'content-type': 'multipart/batching;boundary=boundary' };
    const body = part(`GET ${session.self}/me HTTP/1.1`);
    expect((await client.call('sendBatch', { method: 'POST', url: batch, headers, body })).status).toBe(401);
  });

  it.each([
    ['2', 200, undefined],
    ['2.0', 200, undefined],
    ['3', 404, 'APIVersionNotSupported'],
  ])('accept or reject version %s: %d', async (version, status, subcode) => {
    const headers = { [`${names.headerPrefix}RequiresMinResourceVersion`]: version };
    const { contacts: url, token } = session;
    const answer = await client.call('readContacts', { url, token, headers });
    expect([answer.status, at(json(answer), 'subcode')]).toEqual([status, subcode]);
  });
});
