import { at, header, json } from '../src/answer.js';
import { findUser, FORM, signIn, tokenRequest, tokenServiceIn } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient, type WebRequest } from '../src/web-client.js';

const FORM_BODY = { 'content-type': FORM };

describe('the token service with wrong requests', () => {
  const client = new WebClient();
  const { user, names } = client.system;
  let tokenService: string;

  beforeAll(async () => {
    tokenService = tokenServiceIn((await findUser(client)).challenge, names.challengeScheme);
  });
  afterAll(() => client.close());

  /** Checks that the next good request works. */
  afterEach(async () => {
    expect(await signIn(client, user)).toBeTruthy();
  });

  const post = (body: string, headers: Record<string, string> = FORM_BODY): WebRequest => ({
    method: 'POST',
    url: tokenService,
    headers,
    body,
  });

  it.each<[string, Record<string, string>, string, number]>([
    ['no body', FORM_BODY, '', 400],
    ['no grant', FORM_BODY, 'Username=a&password=b', 400],
    ['no password', FORM_BODY, 'grant_type=password&Username=a', 400],
    ['an unknown grant', FORM_BODY, 'grant_type=magic&Username=a&password=b', 400],
    ['another scope', FORM_BODY, 'grant_type=password&Username=a&password=b&scope=admin', 400],
    ['a name twice', FORM_BODY, 'grant_type=password&Username=a&username=b&password=c', 400],
    ['an endless name', FORM_BODY, `grant_type=password&password=b&Username=${'a'.repeat(2_000)}`, 400],
    ['JSON', { 'content-type': 'application/json' }, '{"grant_type":"password"}', 415],
    ['bytes that are not text', FORM_BODY, 'grant_type=password&Username=%ff%fe&password=%00', 400],
    ['300 KB', FORM_BODY, `password=${'x'.repeat(300_000)}`, 413],
  ])('rejects %s', async (_what, headers, body, status) => {
    const answer = await client.call('requestToken', post(body, headers));
    expect(answer.status).toBe(status);
    expect(at(json(answer), 'error')).toMatch(/^(invalid|unsupported)_/);
  });

  it.each(['wrong password', 'unknown person', 'a person of another domain'])(
    'discloses nothing except that it was wrong: %s',
    async (what) => {
      const username = { 'wrong password': user.username, 'unknown person': `${unique('x')}@example.test` }[what];
      const body = tokenRequest({ username: username ?? 'alice@elsewhere.invalid', password: 'not this' });
      const answer = await client.call('requestToken', post(body));
      expect([answer.status, json(answer)]).toEqual([
        400,
        { error: 'invalid_grant', error_description: expect.any(String) },
      ]);
      expect(answer.headers['www-authenticate']).toBeUndefined();
    },
  );

  it.each(['GET', 'PUT', 'DELETE'] as const)('rejects the method %s', async (method) => {
    const answer = await client.misuse('token', { method, url: tokenService });
    expect([answer.status, header(answer, 'allow')]).toEqual([405, 'POST']);
  });
});
