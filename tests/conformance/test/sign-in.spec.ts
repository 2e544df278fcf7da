import { at, header, hrefsIn, json, answerMediaType, textAt } from '../src/answer.js';
import { findApplications, findUser, FORM, signIn, tokenRequest, tokenServiceIn } from '../src/sign-in.js';
import { WebClient } from '../src/web-client.js';
import { children, readXml } from '../src/xml.js';

describe('discovery and sign-in (interface A, rows 1 to 4)', () => {
  const client = new WebClient();
  const { names, user, operator, webUrl } = client.system;
  let tokenService: string;

  beforeAll(async () => {
    tokenService = tokenServiceIn((await findUser(client)).challenge, names.challengeScheme);
  });
  afterAll(() => client.close());

  it('1. the discovery document links to the user URL, without credentials', async () => {
    const answer = await client.call('discover', { url: webUrl.href });
    expect(answer.status).toBe(200);
    expect(answerMediaType(answer)).toBe('application/json');
    const discovery = json(answer);
    expect(textAt(discovery, '_links', 'User', 'href')).toMatch(/^https:\/\//);
    expect(at(discovery, '_links', 'user')).toEqual(at(discovery, '_links', 'User'));
    for (const href of hrefsIn(discovery)) expect(URL.canParse(href)).toBe(true);
  });

  it('1. the discovery document is returned in XML when requested', async () => {
    const answer = await client.call('discover', { url: webUrl.href, headers: { accept: 'application/xml' } });
    const links = children(readXml(answer.body), 'link').map(({ attributes }) => attributes['rel']);
    expect(links).toContain('user');
  });

  it('2. the user URL without a token responds with 401 and the URL of the token service', async () => {
    const { userUrl, challenge } = await findUser(client);
    expect(challenge.status).toBe(401);
    const [value, ...others] = [challenge.headers['www-authenticate'] ?? ''].flat();
    expect(value).toMatch(new RegExp(`^${names.challengeScheme} href="[^"]+",grant_type="[^"]*\\bpassword\\b[^"]*"$`));
    expect(others).toEqual([expect.stringMatching(/^Bearer /)]);
    expect(new URL(tokenService).protocol).toBe('https:');
    const head = await client.send({ method: 'HEAD', url: userUrl });
    expect([head.status, head.headers['www-authenticate']]).toEqual([401, [value, ...others]]);
  });

  it('3. the token service issues an opaque token for a password', async () => {
    const answer = await client.call('requestToken', {
      method: 'POST',
      url: tokenService,
      headers: { 'content-type': FORM },
      body: tokenRequest(user),
    });
    expect(answer.status).toBe(200);
    const { access_token: token, expires_in: lifetime } = Object(json(answer));
    expect(json(answer)).toMatchObject({ token_type: 'Bearer', [names.identityScopeField]: 'local' });
    expect(lifetime).toBeLessThanOrEqual(8 * 3600);
    expect(lifetime).toBeGreaterThan(7 * 3600);
    expect(token).not.toContain(user.username);
    expect(header(answer, 'cache-control')).toBe('no-store');
  });

  it.each([
    ['names in another case', ({ username, password }) => ({ Grant_Type: 'password', USERNAME: username, password })],
    ['unknown fields', (person) => ({ grant_type: 'password', ...person, resource: 'x' })],
    ['a SIP address', ({ username, password }) => ({ grant_type: 'password', username: `sip:${username}`, password })],
  ] as [string, (person: { username: string; password: string }) => Record<string, string>][])(
    '3. accepts %s',
    async (_what, fieldsFor) => {
      const { username, password } = user;
      const answer = await client.call('requestToken', {
        method: 'POST',
        url: tokenService,
        headers: { 'content-type': `${FORM};charset='utf-8'` },
        body: new URLSearchParams(fieldsFor({ username, password })).toString(),
      });
      expect(answer.status).toBe(200);
    },
  );

  it('3. issues a new token for every sign-in, and all of them are valid', async () => {
    const tokens = [await signIn(client, user), await signIn(client, user)];
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) expect(await findApplications(client, token)).toBeTruthy();
  });

  it('4. the user URL with a token links to the applications', async () => {
    const { userUrl } = await findUser(client);
    const answer = await client.call('readUser', { url: userUrl, token: await signIn(client, operator) });
    expect(answer.status).toBe(200);
    const { href } = new URL(textAt(json(answer), '_links', 'applications', 'href'), userUrl);
    expect(new URL(href).origin).toBe(new URL(userUrl).origin);
  });

  it('4. the user URL with a token is returned in XML when requested', async () => {
    const [{ userUrl }, token] = [await findUser(client), await signIn(client, user)];
    const headers = { accept: `${names.mediaType}+xml` };
    const root = readXml((await client.call('readUser', { url: userUrl, token, headers })).body);
    expect(root.attributes).toMatchObject({ rel: 'user', xmlns: names.xmlNamespace });
    const links = children(root, 'link').map(({ attributes }) => [attributes['rel'], attributes['href']]);
    expect(links).toContainEqual(['applications', await findApplications(client, token)]);
  });

  it('4. accepts the token in the web-ticket header of mobile clients too', async () => {
    const { userUrl } = await findUser(client);
    const headers = { [`${names.headerPrefix}WebTicket`]: await signIn(client, user) };
    expect((await client.call('readUser', { url: userUrl, headers })).status).toBe(200);
  });
});
