import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rawHeaderValues, rawAnswer } from './raw-answer.js';
import { firstUserPassword, postForm, startService, type RunningService } from './running-service.js';

const ROOT = '/Autodiscover/AutodiscoverService.svc/root';
const NATIVE = 'application/vnd.microsoft.rtc.autodiscover+xml;v=1';

describe('discovery', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-discovery-'));
  const started = new Started();
  let nats: TestNats;
  let ms: RunningService;
  let neutral: RunningService;
  const domainsFile = join(dataDir, 'domains.json');

  beforeAll(async () => {
    writeFileSync(
      domainsFile,
      JSON.stringify({
        'Moved.test': { redirect: 'https://uc.elsewhere.test/' },
        'branch.test': { origin: 'https://branch.example.test', sipInternal: 'sip.branch.test:5061' },
      }),
    );
    const env = {
      DATA_DIR: dataDir,
      DOMAINS_FILE: domainsFile,
      PUBLIC_ORIGIN: 'https://uc.example.test, https://second.example.test:8443,https://branch.example.test',
      SIP_DOMAINS: 'example.test,branch.test,moved.test',
    };
    nats = started.add(await startNats());
    neutral = started.add(await startService(nats.urlOf('discovery-auth'), env));
    ms = started.add(await startService(nats.urlOf('discovery-auth'), { ...env, VENDOR_PROFILE: 'ms' }));
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  const msLinks = {
    self: { href: `https://uc.example.test${ROOT}` },
    user: { href: `https://uc.example.test${ROOT}/oauth/user` },
    User: { href: `https://uc.example.test${ROOT}/oauth/user` },
    xframe: { href: 'https://uc.example.test/Autodiscover/XFrame/XFrame.html' },
  };

  async function token(service: RunningService): Promise<string> {
    const password = await firstUserPassword(dataDir, 'alice');
    const path = service === ms ? '/WebTicket/oauthtoken' : '/uc/token';
    const answer = await postForm(service.base, { grant_type: 'password', username: 'alice', password }, path);
    return String(Object(await answer.json()).access_token);
  }

  it.each([
    '',
    '/',
    '//',
    '/?sipuri=alice@example.test',
    '/?SipUri=sip:alice@example.test',
    '/?sipuri=',
    '/?%zz',
    ROOT,
    `${ROOT}/`,
    `${ROOT}?originalDomain=example.test`,
    `/${ROOT}?originaldomain=nobody.test`,
    ROOT.toLowerCase(),
    ROOT.toUpperCase(),
  ])('answers a first request for "%s"', async (path) => {
    const answer = await fetch(ms.base + path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await answer.json()).toEqual({ _links: msLinks });
  });

  it('has the headers of the deployed server', async () => {
    const answer = await rawAnswer(ms.base);
    for (const [name, value] of [
      ['Cache-Control', 'no-cache'],
      ['Pragma', 'no-cache'],
      ['Expires', '-1'],
      ['X-Content-Type-Options', 'nosniff'],
      ['X-MS-Server-Fqdn', 'uc.example.test'],
      ['X-MS-UcwaVersion', '1.7'],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(Buffer.byteLength(answer.body))],
    ] as const) {
      expect([name, rawHeaderValues(answer, name)]).toEqual([name, [value]]);
    }
  });

  it.each(['GET', 'HEAD'])('compresses the response to %s only when the client accepts that', async (method) => {
    const plain = await rawAnswer(ms.base, { method });
    const packed = await fetch(ms.base, { method, headers: { 'accept-encoding': 'gzip' } });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['vary']).toBe('accept, accept-encoding, origin');
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(Number(plain.headers['content-length']));
    expect(await packed.text()).toBe(plain.body);
  });

  it('responds to HEAD as to GET, without the body', async () => {
    const headersOf = async (method: string): Promise<Record<string, unknown>> => {
      const { headers } = await rawAnswer(ms.base, { method });
      return { ...headers, 'x-request-id': '', date: '' };
    };
    expect(await headersOf('HEAD')).toEqual(await headersOf('GET'));
    expect((await rawAnswer(ms.base, { method: 'HEAD' })).body).toBe('');
  });

  it.each([
    ['application/xml', 'application/xml; charset=utf-8'],
    ['application/vnd.microsoft.com.ucwa+xml', 'application/vnd.microsoft.com.ucwa+xml; charset=utf-8'],
  ])('writes XML for %s', async (accept, contentType) => {
    const answer = await fetch(ms.base, { headers: { accept } });
    expect(answer.headers.get('content-type')).toBe(contentType);
    const text = await answer.text();
    expect(text).toContain(`<resource rel="root" href="https://uc.example.test${ROOT}"`);
    expect(text).toContain(`<link rel="user" href="https://uc.example.test${ROOT}/oauth/user"/>`);
    expect(text).toContain('<link rel="xframe" href="https://uc.example.test/Autodiscover/XFrame/XFrame.html"/>');
  });

  it.each(['', '*/*', 'text/html, */*; q=0.1', 'application/json', 'application/*;q=0.5'])(
    'writes JSON for "%s"',
    async (accept) => {
      const answer = await rawAnswer(ms.base, { headers: accept === '' ? {} : { accept } });
      expect(answer.headers['content-type']).toBe('application/json');
    },
  );

  it('returns native clients their own form of the documents, down to the applications', async () => {
    const root = await fetch(ms.base, { headers: { accept: NATIVE } });
    expect(root.headers.get('content-type')).toBe('application/vnd.microsoft.rtc.autodiscover+xml; v=1');
    expect(await root.text()).toBe(
      '<?xml version="1.0" encoding="utf-8"?><AutodiscoverResponse AccessLocation="External"><Root>' +
        `<Link token="User" href="https://uc.example.test${ROOT}/user"/>` +
        `<Link token="Self" href="https://uc.example.test${ROOT}"/>` +
        '<Link token="XFrame" href="https://uc.example.test/Autodiscover/XFrame/XFrame.html"/></Root></AutodiscoverResponse>',
    );
    const anonymous = await fetch(`${ms.base}${ROOT}/user`, { headers: { accept: NATIVE } });
    expect(anonymous.status).toBe(401);
    const headers = { accept: NATIVE, 'X-MS-WebTicket': await token(ms) };
    const user = await (await fetch(`${ms.base}${ROOT}/user`, { headers })).text();
    expect(user).toContain('<User><Link token="Ucwa" href="https://uc.example.test/ucwa/v1/applications"/>');
    expect(user).toContain('<Link token="External/Ucwa" href="https://uc.example.test/ucwa/v1/applications"/>');
    expect(user).not.toContain('SipClient');
  });

  describe('with several public origins', () => {
    it.each([
      ['uc.example.test', 'https://uc.example.test'],
      ['SECOND.example.test:8443', 'https://second.example.test:8443'],
      ['second.example.test', 'https://uc.example.test'],
      ['branch.example.test:443', 'https://branch.example.test'],
      ['evil.test', 'https://uc.example.test'],
      ['uc.example.test@evil.test', 'https://uc.example.test'],
      ['lyncdiscover.branch.test', 'https://branch.example.test'],
    ])('a request to the host %s gets %s', async (host, origin) => {
      const answer = await rawAnswer(ms.base, { headers: { host } });
      expect(JSON.parse(answer.body)).toMatchObject({ _links: { user: { href: `${origin}${ROOT}/oauth/user` } } });
      const challenged = await rawAnswer(`${ms.base}${ROOT}/oauth/user`, { headers: { host } });
      const expected = host.startsWith('lyncdiscover') ? 'https://uc.example.test' : origin;
      expect(rawHeaderValues(challenged, 'WWW-Authenticate')[0]).toContain(`href="${expected}/WebTicket/oauthtoken"`);
      expect(JSON.stringify([answer, challenged])).not.toContain('evil');
    });

    it('ignores X-Forwarded-Host unless it comes from a trusted proxy', async () => {
      const headers = { 'x-forwarded-host': 'second.example.test:8443', 'x-forwarded-for': '10.0.0.1' };
      const answer = await rawAnswer(ms.base, { headers });
      expect(JSON.parse(answer.body)).toMatchObject({
        _links: { user: { href: `https://uc.example.test${ROOT}/oauth/user` } },
      });
    });
  });

  describe('over plain HTTP, as reported by a trusted edge', () => {
    let behindEdge: RunningService;
    beforeAll(async () => {
      const env = { DATA_DIR: dataDir, VENDOR_PROFILE: 'ms', TRUSTED_PROXIES: '127.0.0.1' };
      behindEdge = started.add(await startService(nats.urlOf('discovery-auth'), env));
    });

    const plain = { 'x-forwarded-proto': 'http', 'x-forwarded-for': '192.0.2.1' };

    it.each(['/', '/?sipuri=alice@example.test', `${ROOT}?originalDomain=example.test`])(
      'answers %s with links to HTTPS',
      async (path) => {
        const answer = await rawAnswer(behindEdge.base + path, { headers: plain });
        expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { _links: msLinks }]);
      },
    );

    it.each([`${ROOT}/oauth/user?a=b`, '/xframe', '/nothing', '//evil.test/x'])('sends %s to HTTPS', async (path) => {
      const headers = { ...plain, authorization: 'Bearer x' };
      const answer = await rawAnswer(behindEdge.base + path, { headers });
      expect([answer.status, rawHeaderValues(answer, 'Location')]).toEqual([301, [`https://uc.example.test${path}`]]);
      expect(answer.headers['www-authenticate']).toBeUndefined();
    });

    it('sends the path of a whole URL to HTTPS', async () => {
      const options = { headers: plain, target: 'http://uc.example.test/xframe?a=b' };
      const answer = await rawAnswer(behindEdge.base, options);
      expect([answer.status, answer.headers['location']]).toEqual([301, 'https://uc.example.test/xframe?a=b']);
    });

    it('rejects passwords', async () => {
      const form = { ...plain, 'content-type': 'application/x-www-form-urlencoded' };
      const body = 'grant_type=password&username=alice&password=x';
      const sent = { method: 'POST', headers: form, body };
      const answer = await rawAnswer(`${behindEdge.base}/WebTicket/oauthtoken`, sent);
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        403,
        { error: 'invalid_request', error_description: 'This is available over HTTPS only.' },
      ]);
    });

    it('serves everything that reached the edge over HTTPS', async () => {
      const headers = { ...plain, 'x-forwarded-proto': 'https' };
      expect((await rawAnswer(`${behindEdge.base}${ROOT}/oauth/user`, { headers })).status).toBe(401);
    });
  });

  describe('by SIP domain', () => {
    it.each(['/?sipuri=carol@moved.test', '/?originalDomain=MOVED.test', '/?sipuri=sip:carol@moved.test;x=y'])(
      '%s leads to the system where the domain is at home, and to nothing else',
      async (path) => {
        expect(await (await fetch(ms.base + path)).json()).toEqual({
          _links: { self: msLinks.self, redirect: { href: 'https://uc.elsewhere.test/' }, xframe: msLinks.xframe },
        });
        const native = await (await fetch(ms.base + path, { headers: { accept: NATIVE } })).text();
        expect(native).toContain('<Root><Link token="Redirect" href="https://uc.elsewhere.test/"/>');
        expect(native).not.toContain('"User"');
      },
    );

    it('reads the domain from a discovery host name', async () => {
      const { body } = await rawAnswer(neutral.base, { headers: { host: 'ucdiscover.moved.test' } });
      expect(JSON.parse(body)).toHaveProperty('_links.redirect');
    });

    it('supports a separate origin for a domain', async () => {
      const { body } = await rawAnswer(`${neutral.base}/?sipuri=dora@branch.test`);
      expect(JSON.parse(body)).toMatchObject({
        _links: { user: { href: 'https://branch.example.test/uc/discovery/user' } },
      });
    });

    it.each([
      ['{', /must be a readable JSON file/],
      ['[]', /must contain an object for the file/],
      ['{"a.test":1}', /must contain an object for a.test/],
      ['{"a.test":{"redirekt":"https://b.test"}}', /unknown key "redirekt" for a.test/],
      ['{"a.test":{"redirect":"http://b.test/"}}', /wrong for a.test: redirect must be a URL like https/],
      ['{"a.test":{"sipInternal":"b.test"}}', /wrong for a.test: sipInternal must look like/],
      ['{"a.test":{"origin":"https://b.test"}}', /origin of a.test is not one of PUBLIC_ORIGIN/],
      ['{"a.test":{"redirect":"https://uc.example.test/x"}}', /leads back to this system/],
    ])('refuses to start with the domains %s', async (content, message) => {
      const file = join(dataDir, 'wrong.json');
      writeFileSync(file, content);
      await expect(
        startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir, DOMAINS_FILE: file }),
      ).rejects.toThrow(message);
    });
  });

  describe('the challenge', () => {
    it.each(['GET', 'HEAD'])('of %s has two lines, the vendor scheme first, and no other URL', async (method) => {
      const answer = await rawAnswer(`${ms.base}${ROOT}/oauth/user`, { method });
      expect(answer.status).toBe(401);
      expect(rawHeaderValues(answer, 'WWW-Authenticate')).toEqual([
        'MsRtcOAuth href="https://uc.example.test/WebTicket/oauthtoken",grant_type="urn:microsoft.rtc:anonmeeting,password"',
        'Bearer realm="uc"',
      ]);
      const withUrl = answer.rawHeaders.filter((value) => /https?:\/\//.test(value));
      expect(withUrl).toHaveLength(1);
      expect(rawHeaderValues(answer, 'X-Ms-diagnostics')).toEqual([
        '28020;source="uc.example.test";reason="An access token is required."',
      ]);
    });
  });

  it('shows relative links in the user resource of the default profile', async () => {
    const headers = { authorization: `Bearer ${await token(neutral)}` };
    const user = await (await fetch(`${neutral.base}/uc/discovery/user`, { headers })).json();
    expect(user).toEqual({
      _links: {
        self: { href: '/uc/discovery/user' },
        applications: { href: '/uc/v1/applications' },
        revoke: { href: '/uc/token/revoke' },
        xframe: { href: '/xframe' },
      },
    });
  });
});
