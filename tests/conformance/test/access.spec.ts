import type { Dispatcher } from 'undici';
import { at, header, json } from '../src/answer.js';
import type { Interface } from '../src/contract.js';
import { createSession, findUser, signIn, tokenServiceIn, type Session } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient, type WebRequest } from '../src/web-client.js';

type Where = 'discovery' | 'user' | 'token' | keyof Pick<Session, 'applications' | 'self' | 'search' | 'contacts'>;

describe('interface A with unauthorized and invalid requests', () => {
  const client = new WebClient();
  const { user, otherUser, names, webUrl } = client.system;
  let session: Session;
  let urls: Readonly<Record<Where, string>>;

  beforeAll(async () => {
    session = await createSession(client, user, unique('bad-'));
    const { userUrl, challenge } = await findUser(client);
    const token = tokenServiceIn(challenge, names.challengeScheme);
    urls = { ...session, discovery: webUrl.href, user: userUrl, token };
  });
  afterAll(() => client.close());

  /** Checks that the next good request works. */
  afterEach(async () => {
    const { search, token } = session;
    expect((await client.call('searchPeople', { url: `${search}?query=a`, token })).status).toBe(200);
  });

  function to(where: Where, more: Partial<WebRequest> & { suffix?: string } = {}): WebRequest {
    const { suffix = '', ...request } = more;
    return { url: urls[where] + suffix, token: session.token, ...request };
  }

  it.each<Where>(['discovery', 'user', 'search'])('%s sends Strict-Transport-Security once', async (where) => {
    const answer = await client.send(to(where, { token: undefined }));
    expect(header(answer, 'strict-transport-security')).toMatch(/^max-age=\d+$/);
  });

  it.each<[string, string | undefined, string, Where, Dispatcher.HttpMethod, string]>([
    ['user', 'readUser', 'garbage', 'user', 'GET', ''],
    ['creating', 'createApplication', 'no token', 'applications', 'POST', ''],
    ['creating', 'createApplication', 'garbage', 'applications', 'POST', ''],
    ['application', 'readApplication', 'no token', 'self', 'GET', ''],
    ['application', 'readApplication', 'garbage', 'self', 'GET', ''],
    ['deleting', 'deleteApplication', 'garbage', 'self', 'DELETE', ''],
    ['search', 'searchPeople', 'no token', 'search', 'GET', '?query=a'],
    ['search', 'searchPeople', 'garbage', 'search', 'GET', '?query=a'],
    ['contacts', 'readContacts', 'garbage', 'contacts', 'GET', ''],
  ])('%s: %s with %s gets the challenge', async (_name, operation, token, where, method, suffix) => {
    const wanted = to(where, { method, suffix, token: token === 'garbage' ? 'x'.repeat(43) : undefined });
    const answer = await client.call(operation ?? '', wanted);
    expect(answer.status).toBe(401);
    expect(tokenServiceIn(answer, names.challengeScheme)).toBe(urls.token);
  });

  it.each(['Basic YTpi', 'Bearer', 'Bearer a b', `Bearer ${'x'.repeat(4_000)}`, 'Bearer é'])(
    'a header "Authorization" without a token is ignored (%#)',
    async (authorization) => {
      const answer = await client.call('readApplication', to('self', { token: undefined, headers: { authorization } }));
      expect(answer.status).toBe(401);
    },
  );

  it('another user cannot distinguish my application from one that does not exist', async () => {
    const token = await signIn(client, otherUser);
    const missing = urls.self.replace(/[^/]+$/, '100000000000');
    for (const [operation, where, method] of [
      ['readApplication', '', 'GET'],
      ['readMe', '/me', 'GET'],
      ['readPeople', '/people', 'GET'],
      ['searchPeople', '/people/search?query=a', 'GET'],
      ['readContacts', '/people/contacts', 'GET'],
      ['readContact', `/people/${user.username}`, 'GET'],
      ['deleteApplication', '', 'DELETE'],
    ] as const) {
      const mine = await client.call(operation, { url: urls.self + where, method, token });
      const none = await client.call(operation, { url: missing + where, method, token });
      expect([operation, mine.status, json(mine)]).toEqual([operation, 404, json(none)]);
      expect(json(mine)).toMatchObject({ subcode: 'ApplicationNotFound' });
    }
  });

  it.each(['', '0', 'x', '../1', '%2e%2e', '1'.repeat(300), '%00', "1'--"])(
    'an invalid id belongs to no application (%#)',
    async (id) => {
      const url = urls.self.replace(/[^/]+$/, id);
      const answer = await client.misuse('web', { url, token: session.token });
      expect([404, 405]).toContain(answer.status);
    },
  );

  it('a person who is not in the directory is not found', async () => {
    const answer = await client.call(
      'readContact',
      to('contacts', { url: `${urls.self}/people/${unique('x')}@y.test` }),
    );
    expect([answer.status, at(json(answer), 'code')]).toEqual([404, 'NotFound']);
  });

  it.each<[Where, Dispatcher.HttpMethod, Interface, string]>([
    ['discovery', 'POST', 'web', 'GET, HEAD'],
    ['user', 'DELETE', 'web', 'GET, HEAD'],
    ['applications', 'GET', 'web', 'POST'],
    ['applications', 'PATCH', 'web', 'POST'],
    ['self', 'POST', 'web', 'DELETE, GET, HEAD'],
    ['search', 'POST', 'web', 'GET, HEAD'],
    ['contacts', 'DELETE', 'web', 'GET, HEAD'],
  ])('%s: %s is rejected with the allowed methods', async (where, method, kind, allow) => {
    const answer = await client.misuse(kind, to(where, { method }));
    expect([answer.status, header(answer, 'allow')]).toEqual([405, allow]);
  });

  it.each(['*/*', 'image/png'])('an unknown path gets 404 also for a client that accepts %s', async (accept) => {
    const answer = await client.misuse('web', to('self', { suffix: '/nothing', headers: { accept } }));
    expect([answer.status, at(json(answer), 'code')]).toEqual([404, 'NotFound']);
  });

  it('an unsupported format is not acceptable', async () => {
    const answer = await client.call('readApplication', to('self', { headers: { accept: 'image/png' } }));
    expect([answer.status, at(json(answer), 'code')]).toEqual([406, 'NotAcceptable']);
  });

  it('an error is in XML when XML is requested', async () => {
    const headers = { accept: `${names.mediaType}+xml` };
    const answer = await client.call('searchPeople', to('search', { suffix: '?query=', headers }));
    expect([answer.status, header(answer, 'content-type')]).toEqual([400, `${names.mediaType}+xml; charset=utf-8`]);
  });

  it('a head of ten thousand bytes is accepted', async () => {
    const answer = await client.send(to('search', { suffix: '?query=a', headers: { 'x-filler': 'a'.repeat(10_000) } }));
    expect(answer.status).toBe(200);
  });

  it('a head that is far too long is rejected', async () => {
    const answer = await client.send(to('search', { suffix: `?query=${'a'.repeat(20_000)}` }));
    expect([400, 414, 431]).toContain(answer.status);
  });
});
