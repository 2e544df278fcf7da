import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rawAnswer } from './raw-answer.js';
import { firstUserPassword, postForm, startService, type RunningService } from './running-service.js';

const CHALLENGE =
  'RingdownOAuth href="https://uc.example.test/uc/token",grant_type="urn:ringdown:uc:anonmeeting,password", Bearer realm="uc"';

describe('signing in', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-auth-'));
  const started = new Started();
  let nats: TestNats;
  let service: RunningService;
  let password: string;

  beforeAll(async () => {
    nats = started.add(await startNats());
    service = started.add(await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir }));
    password = await firstUserPassword(dataDir, 'alice');
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(service.base + path, { headers, redirect: 'manual' });
  }

  async function token(): Promise<string> {
    const response = await postForm(service.base, { grant_type: 'password', Username: 'alice@example.test', password });
    return ((await response.json()) as { access_token: string }).access_token;
  }

  it('leads from discovery over the challenge to a token and the applications', async () => {
    const discovery = await get('/?sipuri=alice@example.test');
    expect(discovery.status).toBe(200);
    expect(discovery.headers.get('content-type')).toBe('application/json');
    expect(discovery.headers.get('cache-control')).toBe('no-cache');
    expect(await discovery.json()).toEqual({
      _links: {
        self: { href: 'https://uc.example.test/' },
        user: { href: 'https://uc.example.test/uc/discovery/user' },
        User: { href: 'https://uc.example.test/uc/discovery/user' },
        xframe: { href: 'https://uc.example.test/xframe' },
      },
    });

    const challenged = await get('/uc/discovery/user');
    expect(challenged.status).toBe(401);
    expect(challenged.headers.get('www-authenticate')).toBe(CHALLENGE);
    expect(challenged.headers.get('content-type')).toBe('application/json');
    expect(await challenged.json()).toMatchObject({ code: 'Unauthorized' });
    const page = await fetch(`${service.base}/uc/discovery/user`, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
    // Caches keep the page and the JSON apart (RFC 9110, 12.5.5).
    for (const { headers } of [challenged, page]) expect(headers.get('vary')).toMatch(/(?:^|, )accept(?:,|$)/);

    const granted = await postForm(service.base, { grant_type: 'password', Username: 'alice@example.test', password });
    expect(granted.status).toBe(200);
    expect(granted.headers.get('content-type')).toBe('application/json');
    expect(granted.headers.get('cache-control')).toBe('no-store');
    expect(granted.headers.get('pragma')).toBe('no-cache');
    const response = (await granted.json()) as Record<string, string>;
    expect(response).toEqual({
      access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      expires_in: 28_800,
      ringdown_rtc_identityscope: 'local',
      token_type: 'Bearer',
    });

    const user = await get('/uc/discovery/user', {
      authorization: `${response['token_type']} ${response['access_token']}`,
    });
    expect(user.status).toBe(200);
    expect(await user.json()).toEqual({
      _links: {
        self: { href: '/uc/discovery/user' },
        applications: { href: '/uc/v1/applications' },
        revoke: { href: '/uc/token/revoke' },
        xframe: { href: '/xframe' },
      },
    });
  });

  it('returns the discovery document as XML when requested, and ignores the Host header', async () => {
    const headers = { accept: 'application/vnd.ringdown.uc+xml', host: 'evil.test' };
    const response = await rawAnswer(service.base, { headers });
    expect(response.headers['content-type']).toBe('application/vnd.ringdown.uc+xml; charset=utf-8');
    expect(response.body).toBe(
      '<?xml version="1.0" encoding="utf-8"?><resource rel="root" href="https://uc.example.test/" xmlns="urn:ringdown:uc:v1">' +
        '<link rel="user" href="https://uc.example.test/uc/discovery/user"/>' +
        '<link rel="User" href="https://uc.example.test/uc/discovery/user"/>' +
        '<link rel="xframe" href="https://uc.example.test/xframe"/></resource>',
    );
  });

  it('challenges HEAD as it challenges GET', async () => {
    const response = await fetch(`${service.base}/uc/discovery/user`, { method: 'HEAD' });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, CHALLENGE]);
  });

  it.each(['alice@example.test', 'ALICE@example.test', 'alice', 'example\\alice', 'sip:alice@example.test'])(
    'accepts the name %s',
    async (username) => {
      expect((await postForm(service.base, { grant_type: 'password', username, password })).status).toBe(200);
    },
  );

  it('accepts a token in the web-ticket header as well', async () => {
    expect((await get('/uc/discovery/user', { 'X-Ringdown-WebTicket': await token() })).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ['no token', {}],
    ['a made-up token', { authorization: `Bearer ${'x'.repeat(43)}` }],
    ['an endless token', { authorization: `Bearer ${'x'.repeat(8_000)}` }],
    ['another scheme', { authorization: 'Basic YWxpY2U6cHc=' }],
    ['an empty header', { authorization: '' }],
  ])('challenges %s again', async (_what, headers) => {
    const response = await get('/uc/discovery/user', headers);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, CHALLENGE]);
  });

  it('responds to an unknown name exactly as to a wrong password', async () => {
    const answers = await Promise.all(
      ['alice@example.test', 'nobody@example.test', 'OTHER\\alice', '@', '\u0000'].map(async (username) => {
        const response = await postForm(service.base, { grant_type: 'password', username, password: 'wrong' });
        return [response.status, await response.text(), response.headers.get('cache-control')];
      }),
    );
    const refused = '{"error":"invalid_grant","error_description":"The username or the password is wrong."}';
    expect(answers).toEqual(answers.map(() => [400, refused, 'no-store']));
  });

  it('accepts its tokens after a restart of itself and of the bus', async () => {
    const kept = await token();
    await service.stop();
    await nats.kill();
    await nats.restart();
    service = started.add(await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir }));
    expect((await get('/uc/discovery/user', { authorization: `Bearer ${kept}` })).status).toBe(200);
  });

  it('responds with 503 while the bus is down, and works again when it is back', async () => {
    const kept = await token();
    await nats.kill();
    const refused = await postForm(service.base, { grant_type: 'password', username: 'alice', password });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
    const user = await get('/uc/discovery/user', { authorization: `Bearer ${kept}` });
    expect([user.status, await user.json()]).toEqual([503, expect.objectContaining({ code: 'ServiceUnavailable' })]);
    await nats.restart();
    await eventually('the sign-in to succeed', async () => {
      const answer = await get('/uc/discovery/user', { authorization: `Bearer ${kept}` });
      return answer.status === 200;
    });
    expect(await token()).toMatch(/./);
  });

  describe('under the profile ms', () => {
    let ms: RunningService;
    beforeAll(async () => {
      ms = started.add(await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir, VENDOR_PROFILE: 'ms' }));
    });

    it('uses the paths and names that deployed clients know, and absolute links', async () => {
      const root = await fetch(`${ms.base}/autodiscover/AutodiscoverService.svc/root?originalDomain=example.test`);
      const user = 'https://uc.example.test/Autodiscover/AutodiscoverService.svc/root/oauth/user';
      expect(await root.json()).toMatchObject({ _links: { user: { href: user } } });
      const challenged = await fetch(ms.base + new URL(user).pathname);
      expect(challenged.headers.get('www-authenticate')).toBe(
        'MsRtcOAuth href="https://uc.example.test/WebTicket/oauthtoken",grant_type="urn:microsoft.rtc:anonmeeting,password", Bearer realm="uc"',
      );
      const form = { grant_type: 'password', username: 'alice', password };
      const granted = (await (await postForm(ms.base, form, '/webticket/oauthtoken')).json()) as Record<string, string>;
      expect(granted).toMatchObject({ access_token: expect.stringMatching(/^cwt=/), ms_rtc_identityscope: 'local' });
      const headers = { authorization: `Bearer ${granted['access_token']}` };
      expect(await (await fetch(ms.base + new URL(user).pathname, { headers })).json()).toEqual({
        _links: {
          self: { href: user },
          applications: { href: 'https://uc.example.test/ucwa/oauth/v1/applications' },
          revoke: { href: 'https://uc.example.test/WebTicket/oauthtoken/revoke' },
          xframe: { href: 'https://uc.example.test/Autodiscover/XFrame/XFrame.html' },
        },
      });
    });
  });
});
