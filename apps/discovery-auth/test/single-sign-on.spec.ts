import { eventually } from '@ringdown/testing/eventually';
import { loggedLines } from '@ringdown/testing/logged-lines';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { startOpenIdServer, type OpenIdServer } from '@ringdown/testing/servers/open-id-server';
import { Started } from '@ringdown/testing/started';
import { SignJWT, UnsecuredJWT, generateKeyPair } from 'jose';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPeopleCommand } from '../src/people-command/people-command.js';
import { request, tokenFor } from './administered-people.js';
import { ProviderBrowser } from './provider-browser.js';
import { firstUserPassword, postForm, startService, type RunningService } from './running-service.js';

const CALLBACK = 'https://uc.example.test/console/';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const people = {
  alice: { preferred_username: 'alice@example.test', groups: ['noc', 'staff'] },
  mallory: { preferred_username: 'mallory@example.test' },
};

describe('signing in at a provider', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-sso-'));
  const started = new Started();
  let nats: TestNats;
  let provider: OpenIdServer;
  let service: RunningService;

  beforeAll(async () => {
    nats = started.add(await startNats());
    provider = started.add(
      await startOpenIdServer({ clientId: 'ringdown', clientSecret: 'a secret', redirectUris: [CALLBACK], people }),
    );
    service = await serviceAt(provider.issuer);
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  async function serviceAt(issuer: string, env: Record<string, string> = {}): Promise<RunningService> {
    const settings = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'ringdown', OIDC_CLIENT_SECRET: 'a secret', ...env };
    return started.add(await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir, ...settings }));
  }

  /** Signs in at the provider as a browser does; returns what the page then sends to the token service. */
  async function codeOf(hint: string, browser = new ProviderBrowser(CALLBACK)): Promise<Record<string, string>> {
    const verifier = randomBytes(32).toString('base64url');
    const nonce = randomBytes(16).toString('base64url');
    const address = await (await fetch(`${service.base}/sign-in/options`)).json();
    const url = new URL(Object(address).openId.authorizationEndpoint);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const query = {
      client_id: 'ringdown',
      response_type: 'code',
      scope: 'openid profile email',
      redirect_uri: CALLBACK,
    };
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256', nonce, state: 'xyz', login_hint: hint };
    url.search = new URLSearchParams({ ...query, ...pkce }).toString();
    const { code = '', iss = '' } = Object.fromEntries((await browser.follow(url.href)).searchParams);
    return { grant_type: 'authorization_code', code, iss, code_verifier: verifier, redirect_uri: CALLBACK, nonce };
  }

  function exchange(token: string, base = service.base): Promise<Response> {
    return postForm(base, { grant_type: EXCHANGE, subject_token: token, subject_token_type: ID_TOKEN });
  }

  async function answerOf(response: Response): Promise<[number, Record<string, unknown>]> {
    return [response.status, Object(await response.json())];
  }

  async function refusalOf(response: Response): Promise<string> {
    const [status, { error, error_description: description }] = await answerOf(response);
    return `${status} ${String(error)}: ${String(description)}`;
  }

  const claims = { sub: 'alice', aud: 'ringdown', preferred_username: 'alice@example.test' };

  it('is offered to pages', async () => {
    const response = await fetch(`${service.base}/sign-in/options`);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await response.json()).toEqual({
      password: true,
      openId: {
        issuer: provider.issuer,
        clientId: 'ringdown',
        scope: 'openid profile email',
        authorizationEndpoint: `${provider.issuer}/auth`,
      },
    });
  });

  it('gives a token of ours for a code, and the address to sign out there', async () => {
    const [status, token] = await answerOf(await postForm(service.base, await codeOf('alice')));
    expect([status, token]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        expires_in: 28_800,
        ringdown_rtc_identityscope: 'local',
        token_type: 'Bearer',
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        username: 'alice@example.test',
        end_session_uri: expect.stringContaining(`${provider.issuer}/session/end?`),
      },
    ]);
    const authorization = `Bearer ${String(token['access_token'])}`;
    expect((await fetch(`${service.base}/uc/discovery/user`, { headers: { authorization } })).status).toBe(200);
  });

  it('ends the session at the provider at sign-out, and leads back to the page that signed in', async () => {
    const browser = new ProviderBrowser(CALLBACK);
    const [, token] = await answerOf(await postForm(service.base, await codeOf('alice', browser)));
    const leave = new URL(String(token['end_session_uri']));
    expect(Object.fromEntries(leave.searchParams)).toEqual({
      post_logout_redirect_uri: CALLBACK,
      client_id: 'ringdown',
    });
    // The provider asks whether the person really leaves.
    const question = await (await browser.request(leave.href)).text();
    const [, xsrf = ''] = /name="xsrf" value="(\w+)"/.exec(question) ?? [];
    const back = await browser.follow(`${provider.issuer}/session/end/confirm`, { xsrf, logout: 'yes' });
    expect(back.href).toBe(CALLBACK);
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'another verifier',
      { code_verifier: 'x'.repeat(43) },
      '400 invalid_grant: The sign-in provider has rejected the code: invalid_grant.',
    ],
    [
      'an unknown code',
      { code: 'made-up' },
      '400 invalid_grant: The sign-in provider has rejected the code: invalid_grant.',
    ],
    [
      'another nonce',
      { nonce: 'other' },
      '400 invalid_grant: The answer of the sign-in provider does not belong to this sign-in.',
    ],
    [
      'another issuer',
      { iss: 'https://evil.test' },
      '400 invalid_grant: The answer of the sign-in provider does not belong to this sign-in.',
    ],
    ['no verifier', { code_verifier: '' }, '400 invalid_request: code_verifier is missing'],
    ['an odd address', { redirect_uri: 'console' }, '400 invalid_request: redirect_uri is not a URL'],
  ])('rejects a code with %s', async (_what, changed, refusal) => {
    expect(await refusalOf(await postForm(service.base, { ...(await codeOf('alice')), ...changed }))).toBe(refusal);
  });

  it('names the reason when the provider does not accept its secret', async () => {
    const misled = await serviceAt(provider.issuer, { OIDC_CLIENT_SECRET: 'another secret' });
    expect(await refusalOf(await postForm(misled.base, await codeOf('alice')))).toBe(
      '400 invalid_grant: The sign-in provider has rejected the code: invalid_client.',
    );
  });

  it('accepts a code once', async () => {
    const form = await codeOf('alice');
    expect((await postForm(service.base, form)).status).toBe(200);
    expect((await postForm(service.base, form)).status).toBe(400);
  });

  it('rejects people who are not in the directory', async () => {
    const refusal = '400 invalid_grant: The sign-in provider knows you, but this server does not.';
    expect(await refusalOf(await postForm(service.base, await codeOf('mallory')))).toBe(refusal);
  });

  it('exchanges a token of the provider', async () => {
    const [status, token] = await answerOf(await exchange(await provider.sign(claims)));
    expect([status, token['username'], token['end_session_uri']]).toEqual([200, 'alice@example.test', undefined]);
  });

  it('accepts tokens of a clock that differs a little', async () => {
    const now = Math.floor(Date.now() / 1000);
    const outcome = async (times: object): Promise<number> =>
      (await exchange(await provider.sign({ ...claims, ...times }))).status;
    expect(await outcome({ exp: now - 20 })).toBe(200);
    expect(await outcome({ exp: now - 40 })).toBe(400);
    expect(await outcome({ nbf: now + 20 })).toBe(200);
    expect(await outcome({ nbf: now + 60 })).toBe(400);
  });

  it.each<[string, () => Promise<string>, string]>([
    ['expired', () => provider.sign({ ...claims, exp: 1_000 }), 'The token of the sign-in provider has expired.'],
    ['without expiry', () => provider.signForEver(claims), 'The token of the sign-in provider has a wrong claim: exp.'],
    [
      'of another issuer',
      () => provider.sign({ ...claims, iss: 'https://evil.test' }),
      'The token of the sign-in provider has a wrong claim: iss.',
    ],
    [
      'for another client',
      () => provider.sign({ ...claims, aud: 'other' }),
      'The token of the sign-in provider has a wrong claim: aud.',
    ],
    [
      'without a name',
      () => provider.sign({ sub: 'x', aud: 'ringdown' }),
      'The token of the sign-in provider names no person in the claim preferred_username.',
    ],
    ['of another key', () => signedByOther(), 'The token is not signed with a key of the sign-in provider.'],
    [
      'without a signature',
      () => Promise.resolve(new UnsecuredJWT(claims).setExpirationTime('5m').encode()),
      'The token is not a valid token of the sign-in provider.',
    ],
    ['signed with a password', () => signedByPassword(), 'The token is not a valid token of the sign-in provider.'],
    ['that is no token', () => Promise.resolve('a.b.c'), 'The token is not a valid token of the sign-in provider.'],
    ['of another kind', () => Promise.resolve('opaque'), 'The token is not a valid token of the sign-in provider.'],
  ])('rejects a token %s', async (_what, make, words) => {
    expect(await refusalOf(await exchange(await make()))).toBe(`400 invalid_grant: ${words}`);
  });

  async function signedByOther(): Promise<string> {
    const { privateKey } = await generateKeyPair('RS256');
    const token = new SignJWT({ ...claims, iss: provider.issuer }).setExpirationTime('5m');
    return token.setProtectedHeader({ alg: 'RS256', kid: 'unknown' }).sign(privateKey);
  }

  function signedByPassword(): Promise<string> {
    const token = new SignJWT({ ...claims, iss: provider.issuer }).setExpirationTime('5m');
    return token.setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('a secret of some length, long enough'));
  }

  it('accepts new keys of the provider', async () => {
    expect((await exchange(await provider.sign(claims))).status).toBe(200);
    const old = await provider.sign(claims);
    await provider.rotateKeys();
    await eventually(
      'a token with the new key',
      async () => (await exchange(await provider.sign(claims))).status === 200,
    );
    expect((await exchange(old)).status).toBe(400);
  });

  it.each(['block', 'sign-out'])('ends the tokens of a person at %s', async (command) => {
    const token = await tokenOf();
    expect(await statusOf(token)).toBe(200);
    await changePeople(command);
    await eventually('the end of the token', async () => (await statusOf(token)) === 401);
    await changePeople('unblock');
    await eventually('a new token', async () => (await exchange(await provider.sign(claims))).status === 200);
  });

  it('rejects a person who is blocked', async () => {
    const token = await tokenOf();
    await changePeople('block');
    await eventually('the block', async () => (await statusOf(token)) === 401);
    const refusal = '400 invalid_grant: An administrator of this server has blocked you.';
    expect(await refusalOf(await exchange(await provider.sign(claims)))).toBe(refusal);
    await changePeople('unblock');
    await eventually('a new token', async () => (await exchange(await provider.sign(claims))).status === 200);
  });

  it.each<[string, (admin: string) => Promise<unknown>]>([
    ['a reset', (admin) => request(service, admin, '/bob@example.test/password', { method: 'POST', ifMatch: '*' })],
    ['set-password', () => changePeople('set-password', 'bob@example.test')],
  ])('ends the tokens of a person at %s of the password', async (_what, change) => {
    const admin = await tokenFor(service, 'carol', await firstUserPassword(dataDir, 'carol'));
    const token = await tokenOf('bob@example.test');
    expect(await statusOf(token)).toBe(200);
    await change(String(admin));
    await eventually('the end of the token', async () => (await statusOf(token)) === 401);
  });

  async function tokenOf(name = 'alice@example.test'): Promise<string> {
    const signed = await provider.sign({ ...claims, sub: name.split('@', 1)[0] ?? '', preferred_username: name });
    const [, token] = await answerOf(await exchange(signed));
    return String(token['access_token']);
  }

  async function statusOf(token: string): Promise<number> {
    return (await fetch(`${service.base}/uc/discovery/user`, { headers: { authorization: `Bearer ${token}` } })).status;
  }

  async function changePeople(command: string, name = 'alice@example.test'): Promise<void> {
    const quiet = { readInput: () => Promise.resolve(''), out: () => undefined, err: () => undefined };
    const env = { NATS_URL: nats.urlOf('discovery-auth') };
    expect(await runPeopleCommand([command, name], { env, ...quiet })).toBe(0);
  }

  it('gives the roles of a claim, if one is set, else those of the directory', async () => {
    const roles = { OIDC_ROLES_CLAIM: 'realm.roles', OIDC_OPERATOR_VALUE: 'noc' };
    const byClaim = await serviceAt(provider.issuer, roles);
    const rolesOf = async (base: string, more: object): Promise<unknown> => {
      const [, token] = await answerOf(await exchange(await provider.sign({ ...claims, ...more }), base));
      const hash = createHash('sha256').update(String(token['access_token'])).digest('hex');
      const { principal } = Object(await byClaim.bus.request('ringdown.tokens.introspect', { tokenHash: hash }, 2_000));
      return Object(principal).roles;
    };
    expect(await rolesOf(byClaim.base, { realm: { roles: ['noc'] } })).toEqual(['user', 'operator']);
    expect(await rolesOf(byClaim.base, {})).toEqual(['user']);
  });

  describe('while the provider fails', () => {
    async function badProvider(answer: RequestListener): Promise<string> {
      const server = createServer(answer);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      started.add({
        stop: async () => {
          server.close();
          server.closeAllConnections();
          await once(server, 'close');
        },
      });
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }

    it.each<[string, RequestListener]>([
      ['garbage', (_request, response) => void response.end('<html>')],
      ['an error', (_request, response) => void response.writeHead(500).end()],
      ['never', () => undefined],
      [
        'without an end',
        (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
      ],
      ['too much', (_request, response) => void response.end(Buffer.alloc(600_000, ' '))],
      ['a redirect', (_request, response) => void response.writeHead(302, { location: 'https://evil.test/' }).end()],
      [
        'for another issuer',
        (_request, response) =>
          void response.setHeader('content-type', 'application/json').end('{"issuer":"https://evil.test"}'),
      ],
    ])('with %s, passwords still work and one line names it', async (_what, answer) => {
      const log = loggedLines();
      const issuer = await badProvider(answer);
      const settings = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'ringdown', OIDC_ANSWER_MS: '300', DATA_DIR: dataDir };
      const failing = started.add(await startService(nats.urlOf('discovery-auth'), settings, log.logger));
      for (let attempt = 0; attempt < 3; attempt++) {
        const response = await exchange(await provider.sign(claims), failing.base);
        expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      }
      const options = Object(await (await fetch(`${failing.base}/sign-in/options`)).json());
      expect(options).toEqual({
        password: true,
        openId: { issuer, clientId: 'ringdown', scope: 'openid profile email' },
      });
      const form = { grant_type: 'password', username: 'alice', password: await firstUserPassword(dataDir, 'alice') };
      expect((await postForm(failing.base, form)).status).toBe(200);
      const lines = log.lines.filter(({ msg }) => msg.includes('sign-in provider'));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({ issuer, msg: expect.stringContaining('passwords still work') });
      await failing.stop();
    });

    it('people can sign in there again after it has returned, and the log has the reason and the end', async () => {
      const log = loggedLines();
      const settings = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'ringdown', DATA_DIR: dataDir };
      const fresh = started.add(await startService(nats.urlOf('discovery-auth'), settings, log.logger));
      await provider.stop();
      expect((await exchange(await provider.sign(claims), fresh.base)).status).toBe(503);
      await provider.restart();
      await eventually(
        'the provider is found',
        async () => (await exchange(await provider.sign(claims), fresh.base)).status === 200,
      );
      expect(log.lines.filter(({ msg }) => msg.includes('sign-in provider'))).toMatchObject([
        { reason: expect.stringContaining('fetch failed: connect ECONNREFUSED') },
        { msg: 'the sign-in provider answers again' },
      ]);
    });
  });

  it('is not offered without a provider', async () => {
    const plain = started.add(await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir }));
    expect(await (await fetch(`${plain.base}/sign-in/options`)).json()).toEqual({ password: true });
    expect(await refusalOf(await exchange('x.y.z', plain.base))).toBe(
      '400 unsupported_grant_type: This grant type is not supported.',
    );
  });

  it.each<[Record<string, string>, string]>([
    [{ OIDC_ISSUER: 'https://sso.example.test' }, 'OIDC_CLIENT_ID is required with OIDC_ISSUER'],
    [{ OIDC_CLIENT_ID: 'ringdown' }, 'OIDC_CLIENT_ID is set without OIDC_ISSUER'],
    [{ OIDC_UNKNOWN_PEOPLE: 'create' }, 'OIDC_UNKNOWN_PEOPLE is set without OIDC_ISSUER'],
    [
      { OIDC_ISSUER: 'https://sso.test', OIDC_CLIENT_ID: 'x', OIDC_UNKNOWN_PEOPLE: 'create', PEOPLE_FILE: 'x.json' },
      'cannot be used with PEOPLE_FILE',
    ],
    [{ OIDC_ISSUER: 'http://sso.example.test', OIDC_CLIENT_ID: 'x' }, 'must be the https URL of the provider'],
  ])('is not started with the settings %j', async (env, words) => {
    await expect(startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir, ...env })).rejects.toThrow(words);
  });
});
