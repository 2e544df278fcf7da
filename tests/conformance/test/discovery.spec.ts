import { at, header, hrefsIn, json, answerMediaType, textAt, type Answer } from '../src/answer.js';
import { findUser, FORM, signIn, tokenRequest, tokenServiceIn } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { gunzipSync } from 'node:zlib';
import { WebClient } from '../src/web-client.js';
import { children, readXml } from '../src/xml.js';

const PROFILE = process.env['RINGDOWN_PROFILE'] ?? 'default';

/** The path in changed case: the same URL for a server that ignores case. */
function otherCase(path: string): string {
  return path === path.toLowerCase() ? path.toUpperCase() : path.toLowerCase();
}

/** The steps of clients of the most common deployed server before they have an application, in their order. */
describe('the first steps of real clients', () => {
  const client = new WebClient();
  const { names, user, webUrl } = client.system;
  const { origin } = webUrl;
  let root: unknown;
  let userUrl: string;
  let challenge: Answer;
  let tokenService: string;

  beforeAll(async () => {
    root = json(await client.call('discover', { url: webUrl.href }));
    ({ userUrl, challenge } = await findUser(client));
    tokenService = tokenServiceIn(challenge, names.challengeScheme);
  });
  afterAll(() => client.close());

  function token(body: string | Buffer, contentType = FORM): Promise<Answer> {
    return client.call('requestToken', {
      method: 'POST',
      url: tokenService,
      headers: { 'content-type': contentType },
      body,
    });
  }

  it('lead from the cross-frame page to the applications', async () => {
    const frame = await client.call('readCrossFrame', { url: '/xframe', headers: { accept: 'text/html' } });
    expect([frame.status, answerMediaType(frame)]).toEqual([200, 'text/html']);
    const xframe = textAt(root, '_links', 'xframe', 'href');
    expect((await client.call('readCrossFrame', { url: xframe })).status).toBe(200);
    expect(challenge.status).toBe(401);
    const granted = await token(tokenRequest(user), `${FORM};charset='utf-8'`);
    expect(granted.status).toBe(200);
    const resource = await client.call('readUser', { url: userUrl, token: textAt(json(granted), 'access_token') });
    expect(at(json(resource), '_links', 'applications', 'href')).toBeTruthy();
  });

  it.each([
    '',
    '/',
    '//',
    '/?sipuri=alice@example.test',
    '/?sipuri=sip:x@nowhere.test&other=1',
    '/?originalDomain=x.test',
  ])('get the same document from "%s"', async (path) => {
    const answer = await client.call('discover', { url: origin + path });
    expect([answer.status, json(answer)]).toEqual([200, root]);
  });

  it('get the document at the paths of the deployed server, only in its profile', async () => {
    const service = '/Autodiscover/AutodiscoverService.svc';
    for (const end of ['', '/', '/?sipuri=alice@example.test', '/root', '/ROOT/', '//root?originalDomain=x.test']) {
      const answer = await client.send({ url: origin + service + end });
      const expected = PROFILE === 'ms' ? [200, root] : [404, { code: 'NotFound' }];
      expect([answer.status, json(answer)]).toMatchObject(expected);
    }
  });

  it('work at every URL of the document in other case, with double slashes and with a query', async () => {
    const self = new URL(textAt(root, '_links', 'self', 'href')).pathname;
    const { pathname } = new URL(userUrl);
    for (const path of [otherCase(self), `/${self}`, `${self}?originalDomain=x.test`]) {
      expect([path, (await client.call('discover', { url: origin + path })).status]).toEqual([path, 200]);
    }
    for (const path of [otherCase(pathname), `/${pathname}`, `${pathname}?originalDomain=x.test`]) {
      expect([path, (await client.call('readUser', { url: origin + path })).status]).toEqual([path, 401]);
    }
  });

  it('get absolute links to one origin, in the headers and forms of the deployed server', async () => {
    expect(new Set(hrefsIn(root).map((href) => new URL(href).origin)).size).toBe(1);
    const answer = await client.call('discover', { url: webUrl.href });
    const expected = {
      'cache-control': 'no-cache',
      pragma: 'no-cache',
      expires: '-1',
      'x-content-type-options': 'nosniff',
      [`${names.headerPrefix}Server-Fqdn`.toLowerCase()]: new URL(userUrl).hostname,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(answer.body)),
    };
    expect(answer.headers).toMatchObject(expected);
    const head = await client.send({ method: 'HEAD', url: webUrl.href });
    expect([head.status, head.body]).toEqual([200, '']);
    expect(head.headers).toMatchObject(expected);
  });

  it('get compressed responses on request, except for tokens', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const packed = await client.open({ url: webUrl.href, headers });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(await packed.body.bytes()).toString())).toEqual(root);
    const form = { ...headers, 'content-type': FORM };
    const granted = await client.open({ method: 'POST', url: tokenService, headers: form, body: tokenRequest(user) });
    expect(granted.headers['content-encoding']).toBeUndefined();
    await granted.body.dump();
  });

  it('read XML and the native document, and continue with the latter', async () => {
    const xml = await client.call('discover', { url: webUrl.href, headers: { accept: `${names.mediaType}+xml` } });
    const rels = children(readXml(xml.body), 'link').map(({ attributes }) => attributes['rel']);
    expect(rels).toEqual(expect.arrayContaining(['user', 'xframe']));
    const accept = `${names.nativeMediaType}+xml;v=1`;
    const native = await client.call('discover', { url: webUrl.href, headers: { accept } });
    const url = /token="User" href="([^"]+)"/.exec(native.body)?.[1] ?? '';
    expect((await client.call('readUser', { url, headers: { accept } })).status).toBe(401);
    const ticket = { accept, [`${names.headerPrefix}WebTicket`]: await signIn(client, user) };
    const own = await client.call('readUser', { url, headers: ticket });
    expect(own.body).toMatch(/<User><Link token="\w+" href="https:\/\/[^"]+\/applications"\/>/);
  });

  it.each(['image/png', 'text/plain'])('get 406 when none of the accepted types is available: %s', async (accept) => {
    expect((await client.call('discover', { url: webUrl.href, headers: { accept } })).status).toBe(406);
  });

  it('get a challenge of two lines, which contains only the URL of the token service', async () => {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await client.send({ method, url: userUrl });
      expect(answer.status).toBe(401);
      const [first = '', ...others] = [answer.headers['www-authenticate'] ?? ''].flat();
      expect(first).toBe(
        `${names.challengeScheme} href="${tokenService}",grant_type="${names.grantPrefix}anonmeeting,password"`,
      );
      expect(others).toEqual([expect.stringMatching(/^Bearer /)]);
      const { 'www-authenticate': _challenge, ...rest } = answer.headers;
      expect(JSON.stringify(rest)).not.toMatch(/https?:\/\//);
    }
  });

  it('find user resource and applications under one host, absolute or relative as in the profile', async () => {
    const answer = await client.call('readUser', { url: userUrl, token: await signIn(client, user) });
    const links = at(json(answer), '_links');
    const hrefs = [textAt(links, 'self', 'href'), textAt(links, 'applications', 'href')];
    const isAbsolute = PROFILE === 'ms';
    expect(hrefs.map((href) => URL.canParse(href))).toEqual([isAbsolute, isAbsolute]);
    expect(hrefs.map((href) => new URL(href, userUrl).origin)).toEqual(hrefs.map(() => new URL(userUrl).origin));
    if (!isAbsolute) return;
    expect(userUrl).toContain('/Autodiscover/');
    expect(hrefs[1]).toContain('/ucwa/');
  });

  it.each([
    FORM,
    `${FORM};charset=UTF-8`,
    `${FORM}; charset='utf-8'`,
    `${FORM}; charset="windows-1252"`,
    FORM.toUpperCase(),
  ])('may declare their form as %s', async (contentType) => {
    expect((await token(tokenRequest(user), contentType)).status).toBe(200);
  });

  it('may send a multipart form', async () => {
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(tokenRequest(user))) form.append(name, value);
    form.append('resource', 'https://elsewhere.test/');
    const request = new Response(form);
    const body = Buffer.from(await request.arrayBuffer());
    expect((await token(body, request.headers.get('content-type') ?? '')).status).toBe(200);
  });

  it('get 400 for a wrong password, never a challenge', async () => {
    const answer = await token(tokenRequest({ username: `${unique('x')}@example.test`, password: 'wrong' }));
    expect([answer.status, at(json(answer), 'error')]).toEqual([400, 'invalid_grant']);
    expect(header(answer, 'www-authenticate')).toBeUndefined();
    expect(header(answer, names.diagnosticsHeader)).toMatch(/^28020;source="[^"]+";reason="[^"]+"$/);
    expect(header(answer, 'cache-control')).toBe('no-store');
    const grant = await token('grant_type=urn:microsoft.rtc:windows');
    expect([grant.status, at(json(grant), 'error')]).toEqual([400, 'unsupported_grant_type']);
    expect(header(grant, names.diagnosticsHeader)).toMatch(/^28029;/);
  });

  it('are signed out at once on request', async () => {
    const own = await signIn(client, user);
    const resource = await client.call('readUser', { url: userUrl, token: own });
    const url = new URL(textAt(json(resource), '_links', 'revoke', 'href'), userUrl).href;
    const signOut = { method: 'POST', url, token: own } as const;
    expect((await client.call('revokeToken', signOut)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await client.call('readUser', { url: userUrl, token: own })).status).toBe(401);
    expect((await client.call('revokeToken', signOut)).status).toBe(200);
  });

  it('of other origins are rejected, also in the preflight request', async () => {
    const headers = { origin: 'https://evil.test' };
    for (const url of [webUrl.href, userUrl]) {
      const answer = await client.misuse('web', { url, headers });
      expect(answer.status).toBe(403);
      expect(header(answer, names.diagnosticsHeader)).toContain('cross domain request from this origin');
    }
    const preflight = { ...headers, 'access-control-request-method': 'GET' };
    expect((await client.send({ method: 'OPTIONS', url: userUrl, headers: preflight })).status).toBe(403);
    const own = { origin, 'access-control-request-method': 'GET' };
    const allowed = await client.send({ method: 'OPTIONS', url: userUrl, headers: own });
    expect([allowed.status, header(allowed, 'access-control-allow-origin')]).toEqual([204, origin]);
  });
});
