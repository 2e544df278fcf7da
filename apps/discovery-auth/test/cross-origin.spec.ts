import { startNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FramedBrowser } from './framed-browser.js';
import { rawHeaderValues, rawAnswer } from './raw-answer.js';
import { firstUserPassword, startService, type RunningService } from './running-service.js';

const APP = 'https://app.example.test';
const USER = '/Autodiscover/AutodiscoverService.svc/root/oauth/user';
const REFUSAL = 'Service does not allow a cross domain request from this origin.';

describe('pages of other origins', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-origins-'));
  const started = new Started();
  let ms: RunningService;
  let open: RunningService;
  let password: string;

  beforeAll(async () => {
    const nats = started.add(await startNats());
    const env = { DATA_DIR: dataDir, VENDOR_PROFILE: 'ms' };
    ms = started.add(
      await startService(nats.urlOf('discovery-auth'), { ...env, ALLOWED_ORIGINS: `${APP}, http://localhost:3000` }),
    );
    open = started.add(await startService(nats.urlOf('discovery-auth'), { ...env, ALLOWED_ORIGINS: '*' }));
    password = await firstUserPassword(dataDir, 'alice');
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  it.each([
    ['an allowed origin', APP],
    ['a public origin of ours', 'https://uc.example.test'],
  ])('may call from %s, and see the headers they need', async (_what, origin) => {
    const answer = await rawAnswer(ms.base + USER, { headers: { origin } });
    expect(answer.status).toBe(401);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': expect.stringMatching(
        /^(?=.*\bWWW-Authenticate\b)(?=.*\bLocation\b)(?=.*\bETag\b)(?=.*\bX-Ms-diagnostics\b)(?=.*\bX-MS-UcwaVersion\b)/,
      ),
      vary: expect.stringMatching(/\borigin\b/),
    });
    const discovery = await rawAnswer(ms.base, { headers: { origin } });
    expect(discovery.headers['vary']).toBe('accept, accept-encoding, origin');
  });

  it.each([
    ['evil.test', 'https://evil.test'],
    ['uc.example.test', 'http://uc.example.test'],
    ['lyncdiscover.example.test', 'https://lyncdiscover.example.test'],
  ])('may not call because the host %s is that of their origin', async (host, origin) => {
    const answer = await rawAnswer(ms.base, { headers: { host, origin } });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([403, undefined]);
  });

  it.each([
    ['Origin', 'https://evil.test'],
    ['Origin', 'http://app.example.test'],
    ['Origin', 'https://app.example.test.evil.test'],
    ['Origin', 'null'],
    ['Origin', 'not an origin'],
    ['X-Ms-Origin', 'https://evil.test'],
  ])('may not with %s: %s', async (name, value) => {
    for (const path of ['/', USER, '/WebTicket/oauthtoken', '/nothing']) {
      const answer = await rawAnswer(ms.base + path, { headers: { [name]: value } });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(rawHeaderValues(answer, 'X-Ms-diagnostics')).toEqual([
        `28070;source="uc.example.test";reason="${REFUSAL}"`,
      ]);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('cause no effect where they may not call', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.test' };
    const body = new URLSearchParams({ grant_type: 'password', username: 'alice', password }).toString();
    const answer = await rawAnswer(`${ms.base}/WebTicket/oauthtoken`, { method: 'POST', headers: form, body });
    expect(answer.status).toBe(403);
    expect(answer.body).not.toContain('access_token');
  });

  it.each(['/', USER, '/WebTicket/oauthtoken', '/ucwa/oauth/v1/applications'])(
    'get a response to a preflight request about %s',
    async (path) => {
      const headers = { origin: APP, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x' };
      const answer = await rawAnswer(ms.base + path, { method: 'OPTIONS', headers });
      expect([answer.status, answer.body]).toEqual([204, '']);
      expect(answer.headers['access-control-allow-origin']).toBe(APP);
      expect(answer.headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PUT, DELETE');
      const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase().split(', ');
      expect(allowed).toEqual(
        expect.arrayContaining([
          'authorization',
          'content-type',
          'accept',
          'if-match',
          'if-none-match',
          'x-requested-with',
          'x-ms-origin',
          'x-ms-namespace',
          'client-request-id',
          'x-ms-correlation-id',
          'x-ms-sdk-instance',
          'x-ms-sdk-version',
          'x-ms-sdk-host',
          'x-ms-requiresminresourceversion',
        ]),
      );
    },
  );

  it('are rejected by the preflight request when they are not allowed', async () => {
    const headers = { origin: 'https://evil.test', 'access-control-request-method': 'GET' };
    expect((await rawAnswer(ms.base, { method: 'OPTIONS', headers })).status).toBe(403);
    expect((await rawAnswer(ms.base, { method: 'OPTIONS' })).status).toBe(405);
  });

  it('may all call when all are allowed, but never with credentials of the browser', async () => {
    for (const origin of ['https://anybody.test', 'null']) {
      const { status, headers } = await rawAnswer(open.base, { headers: { origin } });
      expect([status, headers['access-control-allow-origin'], headers['vary']]).toEqual([
        200,
        '*',
        'accept, accept-encoding',
      ]);
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  describe('through the cross-frame page', () => {
    let page: Response;
    let html: string;
    let frame: FramedBrowser;

    beforeAll(async () => {
      page = await fetch(`${ms.base}/xframe`, { headers: { accept: 'text/html' } });
      html = await page.text();
      frame = new FramedBrowser(ms.base, html);
    });

    it('is served under every path, may be framed, and runs only its own script', async () => {
      for (const path of ['/xframe', '/Autodiscover/XFrame/XFrame.html', '/autodiscover/xframe/xframe.html?x=1']) {
        const answer = await fetch(ms.base + path);
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
        expect(await answer.text()).toBe(html);
      }
      const script = /<script>(.*)<\/script>/s.exec(html)?.[1] ?? '';
      const policy = page.headers.get('content-security-policy');
      expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
      expect(policy).not.toContain('frame-ancestors');
      expect(page.headers.get('x-frame-options')).toBeNull();
    });

    it('send requests and get responses in the form that the sample client expects', async () => {
      const answer = await frame.request({ type: 'get', url: `${ms.base}/`, headers: { Accept: 'application/json' } });
      expect(answer).toMatchObject({ status: 200, statusText: 'success', messageId: '7' });
      expect(JSON.parse(answer.responseText)).toHaveProperty('_links.xframe.href');
      expect(answer.headers.split('\r\n')).toEqual(
        expect.arrayContaining(['Content-Type: application/json', 'X-MS-Server-Fqdn: uc.example.test']),
      );
    });

    it('find the challenge under its customary name', async () => {
      const { status, statusText, headers } = await frame.request({ url: ms.base + USER });
      expect([status, statusText]).toEqual([401, 'error']);
      expect(headers).toMatch(/^WWW-Authenticate: MsRtcOAuth href="[^"]*\/WebTicket\/oauthtoken",grant_type="/m);
      expect(headers).toMatch(/^X-Ms-diagnostics: 28020;/m);
    });

    it.each<[string, object]>([
      ['text', { contentType: "application/x-www-form-urlencoded;charset='utf-8'" }],
      ['fields', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
    ])('sign in with a form as %s', async (kind, more) => {
      const fields = { grant_type: 'password', username: 'alice', password };
      const data = kind === 'text' ? new URLSearchParams(fields).toString() : fields;
      const url = `${ms.base}/WebTicket/oauthtoken`;
      const answer = await frame.request({ type: 'post', url, data, processData: false, ...more });
      expect([answer.status, answer.statusText]).toEqual([200, 'success']);
      const authorization = `Bearer ${Object(JSON.parse(answer.responseText)).access_token}`;
      const user = await frame.request({ type: 'get', url: ms.base + USER, headers: { Authorization: authorization } });
      expect(JSON.parse(user.responseText)).toHaveProperty('_links.applications');
    });

    it('are limited to the allowed origins, whatever the message contains', async () => {
      const headers = { 'X-Ms-Origin': APP, 'x-ms-origin': APP };
      const answer = await frame.request({ url: `${ms.base}/`, headers }, 'https://evil.test');
      expect([answer.status, answer.statusText]).toEqual([403, 'error']);
      expect(answer.headers).toContain(`reason="${REFUSAL}"`);
    });

    it('are the only receiver of the response', async () => {
      const { targetOrigin } = await frame.post(JSON.stringify({ messageId: 1, url: ms.base }), APP);
      expect(targetOrigin).toBe(APP);
    });

    it.each<[string, object]>([
      ['an invalid URL', { url: 'http://' }],
      ['no URL', {}],
      ['an invalid method', { url: '/', type: 7 }],
      ['a server that does not answer', { url: 'http://127.0.0.1:1/' }],
    ])('get an error for %s', async (_what, wanted) => {
      expect(await frame.request(wanted)).toMatchObject({ status: 0, statusText: 'error', messageId: '7' });
    });

    it('get no response to messages that are not meant for the page', async () => {
      const answers: unknown[] = [];
      for (const data of [undefined, null, 7, '', '{', '[]', 'null', '{"url":"/"}', { messageId: 1, url: '/' }]) {
        void frame.post(data, APP).then((answer) => answers.push(answer));
      }
      expect(await frame.request({ url: '/' })).toMatchObject({ status: 200 });
      expect(answers).toEqual([]);
    });
  });
});
