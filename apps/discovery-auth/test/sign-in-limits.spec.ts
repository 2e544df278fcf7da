import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstUserPassword, postForm, startService, type RunningService } from './running-service.js';

describe('guessing passwords', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-limits-'));
  const started = new Started();
  let nats: TestNats;
  let password: string;

  beforeAll(async () => {
    nats = started.add(await startNats());
    await (await start({})).stop();
    password = await firstUserPassword(dataDir, 'alice');
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  let ofTest = new Started();
  afterEach(async () => {
    await ofTest.stopAll();
    ofTest = new Started();
  });

  async function start(env: Record<string, string>): Promise<RunningService> {
    return ofTest.add(await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir, ...env }));
  }

  function signIn(
    { base }: RunningService,
    username: string,
    guess = 'wrong',
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const body = new URLSearchParams({ grant_type: 'password', username, password: guess });
    return fetch(`${base}/uc/token`, { method: 'POST', body, headers });
  }

  async function statuses(count: number, each: () => Promise<Response>): Promise<number[]> {
    const answers: number[] = [];
    for (let i = 0; i < count; i++) answers.push((await each()).status);
    return answers;
  }

  /** Every test leaves its counts in the store, and a minute is too long to wait. */
  async function newPeople(): Promise<void> {
    const { bus } = await start({});
    for (const stream of ['KV_SIGN_INS', 'KV_SIGN_IN_FAILURES']) await bus.jsm.streams.purge(stream);
  }

  describe('for one account', () => {
    beforeEach(newPeople);

    it('is blocked after some wrong ones, on every replica and in every spelling of the name', async () => {
      const replicas = [await start({ SIGN_IN_FAILURES: '4' }), await start({ SIGN_IN_FAILURES: '4' })] as const;
      const names = ['alice', 'ALICE@example.test', 'example\\alice', 'sip:alice@example.test'];
      const began = performance.now();
      for (const [i, name] of names.entries()) {
        expect((await signIn(replicas[i % 2 === 0 ? 0 : 1], name)).status).toBe(400);
      }
      for (const replica of replicas) {
        const refused = await signIn(replica, 'alice', password);
        expect(refused.status).toBe(429);
        const retryAfter = Number(refused.headers.get('retry-after'));
        expect(retryAfter + (performance.now() - began) / 1_000).toBeGreaterThan(899);
        expect(retryAfter).toBeLessThanOrEqual(900);
        expect(refused.headers.get('cache-control')).toBe('no-store');
        expect(await refused.json()).toEqual({
          error: 'temporarily_unavailable',
          error_description: 'Too many requests; try again later.',
        });
        expect((await signIn(replica, 'bob', await firstUserPassword(dataDir, 'bob'))).status).toBe(200);
      }
    });

    it('does not disclose whether the account exists', async () => {
      const service = await start({ SIGN_IN_FAILURES: '2' });
      const answersTo = async (name: string): Promise<unknown[]> => {
        const answers: unknown[] = [];
        for (let i = 0; i < 3; i++) {
          const answer = await signIn(service, name);
          answers.push([answer.status, await answer.text()]);
        }
        return answers;
      };
      expect(await answersTo('alice')).toEqual(await answersTo('nobody'));
    });

    it('does not exceed the limit with many concurrent guesses', async () => {
      const service = await start({ SIGN_IN_FAILURES: '5' });
      const answers = await Promise.all(Array.from({ length: 40 }, () => signIn(service, 'alice')));
      const wrong = answers.filter(({ status }) => status === 400);
      expect(wrong).toHaveLength(5);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(35);
    });

    it('is possible again after the time limit, and wrong ones before a right one do not count', async () => {
      let seconds = 2;
      // A busy machine may take longer for three sign-ins: each retry allows twice the time.
      const service = await eventually('three in time', async () => {
        await newPeople();
        seconds *= 2;
        const tried = await start({ SIGN_IN_FAILURES: '2', SIGN_IN_FAILURE_SECONDS: String(seconds) });
        return String(await statuses(3, () => signIn(tried, 'alice'))) === '400,400,429' && tried;
      });
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000 + 50));
      expect((await signIn(service, 'alice')).status).toBe(400);
      expect((await signIn(service, 'alice', password)).status).toBe(200);
      expect((await signIn(service, 'alice')).status).toBe(400);
      expect((await signIn(service, 'alice', password)).status).toBe(200);
    });

    it('does not affect tokens that were issued before', async () => {
      const service = await start({ SIGN_IN_FAILURES: '1' });
      const { access_token: token } = Object(await (await signIn(service, 'alice', password)).json());
      expect(await statuses(2, () => signIn(service, 'alice'))).toEqual([400, 429]);
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${service.base}/uc/discovery/user`, { headers })).status).toBe(200);
    });

    it('counts right ones as well, over all replicas', async () => {
      const replicas = [
        await start({ SIGN_INS_PER_ACCOUNT: '3' }),
        await start({ SIGN_INS_PER_ACCOUNT: '3' }),
      ] as const;
      expect((await signIn(replicas[1], 'alice', password)).status).toBe(200);
      expect(await statuses(3, () => signIn(replicas[0], 'alice', password))).toEqual([200, 200, 429]);
      const refused = await signIn(replicas[1], 'alice', password);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    });
  });

  describe('from one address', () => {
    it('is blocked after some requests of any kind, with Retry-After', async () => {
      const service = await start({ SIGN_INS_PER_ADDRESS: '3' });
      const began = performance.now();
      expect((await postForm(service.base, '')).status).toBe(400);
      expect((await postForm(service.base, { token: 'x' }, '/uc/token/revoke')).status).toBe(200);
      expect((await signIn(service, 'bob')).status).toBe(400);
      const refused = await signIn(service, 'bob', await firstUserPassword(dataDir, 'bob'));
      expect(refused.status).toBe(429);
      const retryAfter = Number(refused.headers.get('retry-after'));
      expect(retryAfter + (performance.now() - began) / 1_000).toBeGreaterThan(59);
      expect((await fetch(service.base)).status).toBe(200);
    });

    it('is not exempt when it claims to be a proxy', async () => {
      const service = await start({ SIGN_INS_PER_ADDRESS: '2' });
      let i = 0;
      const claim = (): Promise<Response> =>
        signIn(service, 'nobody', 'x', { 'x-forwarded-for': `192.0.2.${i++}`, forwarded: `for=192.0.2.${i}` });
      expect(await statuses(4, claim)).toEqual([400, 400, 429, 429]);
    });

    it('is counted for each client behind a trusted proxy', async () => {
      const service = await start({ SIGN_INS_PER_ADDRESS: '2', TRUSTED_PROXIES: '127.0.0.1' });
      const from = (address: string) => (): Promise<Response> =>
        signIn(service, 'nobody', 'x', { 'x-forwarded-for': address });
      // Everything before the last address was written by the client.
      expect(await statuses(2, from('198.51.100.1, 192.0.2.1'))).toEqual([400, 400]);
      expect(await statuses(2, from('198.51.100.2, 192.0.2.1'))).toEqual([429, 429]);
      expect(await statuses(2, from('192.0.2.2'))).toEqual([400, 400]);
    });
  });
});
