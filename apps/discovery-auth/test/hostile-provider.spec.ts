import { eventually } from '@ringdown/testing/eventually';
import { loggedLines } from '@ringdown/testing/logged-lines';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import type { JWTPayload } from 'jose';
import { mkdtempSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MadeUpProvider, type Signing } from './made-up-provider.js';
import { postForm, startService, type RunningService } from './running-service.js';

const SECRET = 'the secret of the client, which is long enough';
const NONCE = 'the nonce of this sign-in';
const ALICE = { preferred_username: 'alice@example.test' };
const HOUR = 3_600;
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

describe('a provider that answers wrongly', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-hostile-'));
  const log = loggedLines();
  const started = new Started();
  let nats: TestNats;
  let provider: MadeUpProvider;
  let service: RunningService;

  beforeAll(async () => {
    nats = started.add(await startNats());
    provider = started.add(await MadeUpProvider.start());
    service = await serviceAt(provider.issuer);
  });
  afterEach(() => provider.instead.clear());
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  async function serviceAt(issuer: string, more: Record<string, string> = {}): Promise<RunningService> {
    const env = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'ringdown', OIDC_CLIENT_SECRET: SECRET, ...more };
    return started.add(await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir, ...env }, log.logger));
  }

  /** The person, or why nobody is signed in. */
  async function outcomeOf(response: Response): Promise<string> {
    const { username, subcode } = Object(await response.json());
    return `${response.status} ${String(username ?? subcode)}`;
  }

  /** Redeems a code for which the provider sends the token. */
  async function redeem(token: string): Promise<string> {
    provider.idToken = token;
    const form = { code: 'c', code_verifier: 'v'.repeat(43), redirect_uri: 'https://uc.test/console/', nonce: NONCE };
    return outcomeOf(await postForm(service.base, { grant_type: 'authorization_code', ...form }));
  }

  async function exchange(token: string, at = service): Promise<string> {
    return outcomeOf(
      await postForm(at.base, {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      }),
    );
  }

  const outages = (part: string): readonly string[] =>
    log.lines
      .filter((line) => Object(line).part === part)
      .map(({ msg }) => msg.replace(/^.* (does not|answers again).*$/, '$1'));

  it('signs in with a right token, the digest of its access token, and without the digest', async () => {
    const right = { ...ALICE, nonce: NONCE };
    expect(await redeem(await provider.sign({ ...right, at_hash: provider.accessTokenHash }))).toBe(
      '200 alice@example.test',
    );
    expect(await redeem(await provider.sign(right))).toBe('200 alice@example.test');
    expect(await exchange(await provider.sign(ALICE))).toBe('200 alice@example.test');
  });

  it.each<[string, JWTPayload, Signing?]>([
    ['is not signed', {}, 'none'],
    ['is signed with the secret of the client', {}, 'secret'],
    ['is signed with its public key as a secret', {}, 'public key'],
    ['is not valid yet', { nbf: inSeconds(HOUR) }],
    ['is issued in the future', { iat: inSeconds(HOUR), exp: inSeconds(2 * HOUR) }],
    ['has expired', { exp: inSeconds(-60) }],
    ['is for another client', { aud: 'other' }],
    ['is for several, of an unknown client', { aud: ['ringdown', 'other'] }],
    ['is for several, of a foreign client', { aud: ['ringdown', 'other'], azp: 'other' }],
    ['is of another issuer', { iss: 'https://evil.test' }],
    ['is of its issuer with a slash', { iss: 'SLASH' }],
    ['signs out', { events: {} }],
  ])('does not sign in for a code or by exchange when the ID token %s', async (_what, claims, how = 'RS256') => {
    const issuer = claims.iss === 'SLASH' ? { iss: `${provider.issuer}/` } : {};
    const whole = { ...ALICE, ...claims, ...issuer };
    expect(await redeem(await provider.sign({ ...whole, nonce: NONCE }, how, SECRET))).toMatch(
      /^400 (ForeignAnswer|TokenInvalid)$/,
    );
    expect(await exchange(await provider.sign(whole, how, SECRET))).toMatch(/^400 Token(Invalid|Expired)$/);
  });

  it.each<[string, JWTPayload]>([
    ['has no nonce', {}],
    ['has another nonce', { nonce: 'another' }],
    ['belongs to another access token', { nonce: NONCE, at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['has a number as the digest of the access token', { nonce: NONCE, at_hash: 7 }],
  ])('does not sign in for a code when the ID token %s', async (_what, claims) => {
    expect(await redeem(await provider.sign({ ...ALICE, ...claims }))).toMatch(/^400 (ForeignAnswer|TokenInvalid)$/);
  });

  it.each([' bob@example.test', 'bob@example.test\t', '\uFEFFbob@example.test', 'bob@example.test\u2028'])(
    'does not bind an account whose name only looks like that of a person: %j',
    async (name) => {
      expect(await exchange(await provider.sign({ sub: 'mallory', preferred_username: name }))).toBe('400 NoPerson');
    },
  );

  it('logs the beginning and the end of each outage of its answers to codes', async () => {
    const token = await provider.sign({ ...ALICE, nonce: NONCE });
    for (let outage = 0; outage < 2; outage++) {
      provider.instead.set('/token', (_request, response) => void response.writeHead(500).end());
      for (let attempt = 0; attempt < 3; attempt++) expect(await redeem(token)).toBe('503 undefined');
      provider.instead.clear();
      expect(await redeem(token)).toBe('200 alice@example.test');
    }
    expect(outages('codes')).toEqual(['does not', 'answers again', 'does not', 'answers again']);
  });

  it.each<[string, RequestListener]>([
    ['an error', (_request, response) => void response.writeHead(500).end()],
    ['a page', (_request, response) => void response.end('<html>')],
    ['no keys', (_request, response) => void response.end('{"keys":[7]}')],
    ['itself', (request, response) => void response.writeHead(302, { location: request.url }).end()],
    ['10 MB', (_request, response) => void response.end(`{"keys":[${' '.repeat(10_000_000)}]}`)],
    ['nothing', () => undefined],
  ])(
    'is not asked again for each token while its keys are %s, and people sign in afterwards',
    async (_what, answer) => {
      const fresh = await serviceAt(provider.issuer, { OIDC_ANSWER_MS: '1000' });
      await eventually('the provider is found', async () => {
        const options = Object(await (await fetch(`${fresh.base}/sign-in/options`)).json());
        return options.openId.authorizationEndpoint !== undefined;
      });
      provider.instead.set('/jwks', answer);
      provider.requests.length = 0;
      const began = performance.now();
      for (let attempt = 0; attempt < 8; attempt++) {
        expect(await exchange(await provider.sign(ALICE), fresh)).toBe('503 undefined');
      }
      const requests = provider.requests.filter((path) => path === '/jwks').length;
      expect(requests).toBeGreaterThan(0);
      // Every two seconds at most; a loaded machine takes longer for this test.
      expect(requests).toBeLessThanOrEqual(1 + Math.floor((performance.now() - began) / 2_000));
      provider.instead.clear();
      await eventually('a sign-in', async () => (await exchange(await provider.sign(ALICE), fresh)).startsWith('200'));
      expect(outages('keys').slice(-2)).toEqual(['does not', 'answers again']);
      await fresh.stop();
    },
  );

  it('may be set with a slash that it does not write itself: its accounts are the same', async () => {
    expect(await exchange(await provider.sign(ALICE))).toBe('200 alice@example.test');
    const withSlash = await serviceAt(`${provider.issuer}/`);
    expect(await exchange(await provider.sign(ALICE), withSlash)).toBe('200 alice@example.test');
    expect(await exchange(await provider.sign({ ...ALICE, iss: `${provider.issuer}/` }), withSlash)).toBe(
      '400 TokenInvalid',
    );
  });

  it('is not used when people would be sent to a script', async () => {
    provider.description = { authorization_endpoint: 'javascript:alert(1)' };
    const misled = await serviceAt(provider.issuer);
    const options = Object(await (await fetch(`${misled.base}/sign-in/options`)).json());
    expect(options.openId).not.toHaveProperty('authorizationEndpoint');
    // What else the service does may be logged after it.
    expect(log.lines).toContainEqual(
      expect.objectContaining({ reason: expect.stringContaining('authorization_endpoint') }),
    );
    provider.description = {};
  });
});
