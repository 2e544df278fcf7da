import { at, header, json, listAt, answerMediaType, textAt, type Answer } from '../src/answer.js';
import { createSession, type Session } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient, type WebRequest } from '../src/web-client.js';
import { gunzipSync } from 'node:zlib';

const JSON_BODY = { 'content-type': 'application/json' };

/** What known clients require: each of these once broke one of them. */
describe('known clients', () => {
  const client = new WebClient();
  const { names, user, otherUser } = client.system;
  let session: Session;

  beforeAll(async () => {
    session = await createSession(client, user, unique('known-'));
  });
  afterAll(async () => {
    await client.call('deleteApplication', { method: 'DELETE', url: session.self, token: session.token });
    await client.close();
  });

  function call(operationId: string, url: string, more: Partial<WebRequest> = {}): Promise<Answer> {
    return client.call(operationId, { url, token: session.token, ...more });
  }

  async function post(operationId: string, url: string, input?: object): Promise<Answer> {
    const body = input === undefined ? '' : JSON.stringify(input);
    return call(operationId, url, { method: 'POST', headers: JSON_BODY, body });
  }

  async function read(operationId: string, url: string): Promise<unknown> {
    const answer = await call(operationId, url);
    expect(answer.status).toBe(200);
    return json(answer);
  }

  function linkOf(resource: unknown, rel: string): string {
    return textAt(resource, '_links', rel, 'href');
  }

  it('create an application with names in any case, and get the same one again for its endpoint', async () => {
    const input = { CULTURE: 'en-US', EndpointID: unique('known-'), userAGENT: 'Bot/1', InstanceId: null };
    const first = await post('createApplication', session.applications, input);
    const again = await post('createApplication', session.applications, input);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(textAt(json(again), '_links', 'self', 'href')).toBe(textAt(json(first), '_links', 'self', 'href'));
    expect(textAt(json(first), '_links', 'events', 'href')).toMatch(/^\/[^/].*\?ack=1$/);
    const [name = '', value] = Object.entries(Object(at(json(first), '_embedded', 'communication')))[0] ?? [];
    expect([name.length, value]).toEqual([36, 'please pass this in a PUT request']);
    await call('deleteApplication', linkOf(json(first), 'self'), { method: 'DELETE' });
  });

  it.each([undefined, '*/*', 'application/json'])('get plain JSON with Accept: %s', async (accept) => {
    const answer = await call('readApplication', session.self, accept === undefined ? {} : { headers: { accept } });
    expect(header(answer, 'content-type')).toBe('application/json');
  });

  it('get the vendor’s media type when they request it', async () => {
    const accept = `${names.mediaType}+json`;
    expect(answerMediaType(await call('readApplication', session.self, { headers: { accept } }))).toBe(accept);
  });

  it('get a length instead of chunks without compression', async () => {
    const answer = await call('readApplication', session.self, { headers: { 'accept-encoding': 'identity' } });
    expect(header(answer, 'content-length')).toBe(String(Buffer.byteLength(answer.body)));
    expect(header(answer, 'transfer-encoding')).toBeUndefined();
    const gzip = { 'accept-encoding': 'gzip' };
    const packed = await client.open({ url: session.self, token: session.token, headers: gzip });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(await packed.body.bytes()).toString())).toMatchObject({ rel: 'application' });
  });

  it('may use double slashes and other case in every path', async () => {
    const url = new URL(client.system.webUrl);
    url.pathname = `/${session.self.replace('/applications/', '//APPLICATIONS/')}`;
    expect(linkOf(await read('readApplication', url.href), 'self')).toBe(session.self);
  });

  it('may search with any spelling', async () => {
    const address = otherUser.username;
    const [name = ''] = address.split('@');
    for (const query of [`query=${address}`, `limit=5&query=sip%3A${encodeURIComponent(address)}`, `QUERY=+${name}+`]) {
      const found = await read('searchPeople', `${session.search}?${query}`);
      expect(listAt(found, '_embedded', 'contact').map((contact) => at(contact, 'uri'))).toContain(`sip:${address}`);
      expect(typeof at(found, 'moreResultsAvailable')).toBe('boolean');
    }
    const nobody = await read('searchPeople', `${session.search}?query=${unique('nobody')}`);
    expect(nobody).not.toHaveProperty('_embedded');
  });

  it('get 204 for every change of their own presence, wherever they find reportMyActivity', async () => {
    const me = at(session.application, '_embedded', 'me');
    expect((await post('makeMeAvailable', linkOf(me, 'makeMeAvailable'))).status).toBe(204);
    const available = at(await read('readApplication', session.self), '_embedded', 'me');
    expect(at(available, '_links', 'makeMeAvailable')).toBeUndefined();
    expect((await post('setPresence', linkOf(available, 'presence'), { availability: 'Busy' })).status).toBe(204);
    expect((await post('setNote', linkOf(available, 'note'), { message: 'Out' })).status).toBe(204);
    expect((await post('setNote', linkOf(available, 'note'))).status).toBe(204);
    expect((await post('setLocation', linkOf(available, 'location'), { location: 'Here' })).status).toBe(204);
    expect((await post('setPresence', linkOf(available, 'presence'))).status).toBe(204);
    expect((await post('reportMyActivityShort', `${session.self}/reportMyActivity`)).status).toBe(204);
  });

  it('may send a body with a blank content type', async () => {
    const headers = { 'content-type': '' };
    const empty = { method: 'POST', headers, body: '' } as const;
    expect((await call('reportMyActivityShort', `${session.self}/reportMyActivity`, empty)).status).toBe(204);
    const body = JSON.stringify({ culture: 'en', endpointId: unique('blank-'), userAgent: 'Bot/1' });
    const created = await call('createApplication', session.applications, { method: 'POST', headers, body });
    expect(created.status).toBe(201);
    await call('deleteApplication', linkOf(json(created), 'self'), { method: 'DELETE' });
  });

  it('create an application with parameters in the query', async () => {
    const query = `culture=en-US&EndpointId=${unique('query-')}&userAgent=Bot%2F1`;
    const created = await post('createApplication', `${session.applications}?${query}`);
    expect([created.status, at(json(created), 'userAgent')]).toEqual([201, 'Bot/1']);
    await call('deleteApplication', linkOf(json(created), 'self'), { method: 'DELETE' });
  });

  it('get a presence with one word for the device, and a date', async () => {
    const found = await read('searchPeople', `${session.search}?mail=${user.username}`);
    const [self] = listAt(found, '_embedded', 'contact');
    const presence = await read('readContactPresence', linkOf(self, 'contactPresence'));
    expect(textAt(presence, 'deviceType')).toBe('Web');
    expect(textAt(presence, 'lastActive')).toMatch(/^\/Date\(\d+\)\/$/);
  });

  it('get a relative Location of the invitation, which links to the conversation', async () => {
    const communication = at(session.application, '_embedded', 'communication');
    const to = `sip:${unique('nobody')}@example.test`;
    const started = await post('startMessaging', linkOf(communication, 'startMessaging'), { to });
    expect([started.status, started.body]).toEqual([201, '']);
    const location = header(started, 'location') ?? '';
    expect(location).toMatch(/^\/[^/]/);
    const invitation = await read('readMessagingInvitation', location);
    expect(linkOf(invitation, 'conversation')).toMatch(/^\/[^/]/);
  });
});
