import { TOKENS_INTROSPECT_PATTERN } from '@ringdown/contracts/tokens';
import { Bucket } from '@ringdown/nats/buckets';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { differenceInTime } from '@ringdown/testing/timing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { tokenHash } from '@ringdown/token-validation';
import pino from 'pino';
import { firstUserPassword, postForm, startService, type RunningService } from './running-service.js';

/** The limits have their own spec file. */
const NO_LIMITS = { SIGN_INS_PER_ADDRESS: '1000000', SIGN_INS_PER_ACCOUNT: '1000000', SIGN_IN_FAILURES: '1000000' };

describe('the token service and discovery with wrong requests', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-auth-'));
  let log = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done): void {
      log += chunk.toString();
      done();
    },
  });
  const started = new Started();
  let nats: TestNats;
  let service: RunningService;
  let password: string;

  beforeAll(async () => {
    nats = started.add(await startNats());
    service = started.add(
      await startService(
        nats.urlOf('discovery-auth'),
        { DATA_DIR: dataDir, ...NO_LIMITS },
        pino({ level: 'trace' }, sink),
      ),
    );
    password = await firstUserPassword(dataDir, 'alice');
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  const signIn = (over: Record<string, string> = {}): Promise<Response> =>
    postForm(service.base, { grant_type: 'password', username: 'alice', password, ...over });

  const introspect = (question: unknown): Promise<unknown> =>
    service.bus.request(TOKENS_INTROSPECT_PATTERN, question, 60_000);

  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it.each<[string, RequestInit, string, number, RegExp]>([
    ['nothing', { method: 'POST' }, '/uc/token', 400, /"error":"invalid_request"/],
    ['JSON', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }, '/uc/token', 415, /form/],
    ['a repeated name', { method: 'POST', body: 'username=a&Username=b', headers: form }, '/uc/token', 400, /once/],
    [
      'bytes that are not text',
      { method: 'POST', body: Buffer.from([0xff, 0, 0xfe]), headers: form },
      '/uc/token',
      400,
      /grant/,
    ],
    [
      '300 KB',
      { method: 'POST', body: 'a'.repeat(300_000), headers: form },
      '/uc/token',
      413,
      /"error":"invalid_request"/,
    ],
    ['GET on the token service', {}, '/uc/token', 405, /"error":"invalid_request"/],
    ['PUT on the token service', { method: 'PUT', body: 'a=b', headers: form }, '/uc/token', 405, /POST/],
    ['POST on the discovery document', { method: 'POST', body: 'x' }, '/', 405, /"code":"MethodNotAllowed"/],
    // The challenge comes before the method.
    ['DELETE on the user without a token', { method: 'DELETE' }, '/uc/discovery/user', 401, /access token is required/],
    ['an unknown path of discovery without a token', {}, '/uc/discovery/nothing', 401, /access token is required/],
    ['a path that does not exist', {}, '/nothing', 404, /"code":"NotFound"/],
    ['a broken escape in the path', {}, '/%zz', 400, /Bad ?Request/],
    ['only images accepted', { headers: { accept: 'image/png' } }, '/', 406, /"code":"NotAcceptable"/],
    ['an endless path', {}, `/${'a'.repeat(12_000)}`, 404, /"code":"NotFound"/],
  ])('%s is rejected, and the next good request works', async (_what, init, path, status, body) => {
    const response = await fetch(service.base + path, init);
    expect(await response.text()).toMatch(body);
    expect(response.status).toBe(status);
    expect((await signIn()).status).toBe(200);
  });

  it('reject 10 MB, and the sender receives the rejection', async () => {
    expect((await postForm(service.base, { a: 'x'.repeat(10_000_000) })).status).toBe(413);
    expect((await signIn()).status).toBe(200);
  });

  it('store only the hash of a token', async () => {
    const { access_token: token } = (await (await signIn()).json()) as { access_token: string };
    const bucket = await Bucket.open({
      bus: service.bus,
      name: 'TOKENS',
      maxAgeMs: 86_400_000,
      parse: (value) => value,
    });
    const keys = [...(await bucket.entries()).keys()];
    expect(keys).toContain(tokenHash(token));
    const values = await Promise.all(keys.map((key) => bucket.get(key)));
    expect(JSON.stringify([keys, values])).not.toContain(token);
    expect(values[0]?.value).toEqual({
      username: 'alice@example.test',
      passwordMark: expect.stringMatching(/^[\w-]{22}$/),
      ip: '127.0.0.1',
      userAgent: 'node',
      issuedAt: expect.any(Number),
      expiresAt: expect.any(Number),
      seal: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('reply to an invalid introspection request without an owner', async () => {
    for (const data of [null, 7, {}, { tokenHash: '*' }, { tokenHash: 7 }, { tokenHash: 'f'.repeat(64) }]) {
      expect(await introspect(data)).toEqual({ principal: null });
    }
  });

  it('reject a token after it has expired', async () => {
    const brief = started.add(
      await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir, TOKEN_LIFETIME_SECONDS: '1' }),
    );
    const requestUser = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${brief.base}/uc/discovery/user`, { headers })).status;
    };
    // On a busy machine the token may expire before it is used.
    const used = await eventually('a token that is good still', async () => {
      const granted = await postForm(brief.base, { grant_type: 'password', username: 'alice', password });
      const { access_token, expires_in } = (await granted.json()) as { access_token: string; expires_in: number };
      expect(expires_in).toBe(1);
      return (await requestUser(access_token)) === 200 && access_token;
    });
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect(await requestUser(used)).toBe(401);
  });

  it('reject a flood of sign-ins with Retry-After, and serve other requests meanwhile', async () => {
    const flood = Array.from({ length: 800 }, (_, i) => signIn({ username: `nobody${i}`, password: 'wrong' }));
    const discovery = await fetch(service.base);
    expect(discovery.status).toBe(200);
    const answers = await Promise.all(flood);
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toEqual(new Set([400, 503]));
    const busy = answers.find(({ status }) => status === 503);
    expect(busy?.headers.get('retry-after')).toBe('1');
    expect(await busy?.json()).toMatchObject({ error: 'temporarily_unavailable' });
    expect((await signIn()).status).toBe(200);
  });

  it('take as long for an unknown name as for a wrong password', async () => {
    const reject = async (username: string): Promise<void> => {
      await (await signIn({ username, password: 'wrong' })).text();
    };
    const apart = await differenceInTime({
      one: () => reject('alice@example.test'),
      other: () => reject('nobody@example.test'),
      rounds: 25,
    });
    expect(apart).toBeLessThan(0.5);
  });

  it('log nothing that gives access', async () => {
    const { access_token: token } = (await (await signIn()).json()) as { access_token: string };
    await fetch(`${service.base}/uc/discovery/user`, { headers: { authorization: `Bearer ${token}` } });
    expect(log).toContain('answered');
    expect(log).not.toContain(token);
    expect(log).not.toContain(password);
    expect(log).not.toContain('argon2');
  });
});
