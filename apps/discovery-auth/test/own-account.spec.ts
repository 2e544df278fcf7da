import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPeopleCommand } from '../src/people-command/people-command.js';
import { firstUserPassword, postForm, startService, type RunningService } from './running-service.js';

const CHOSEN = 'correct horse battery';

interface Shown {
  readonly id: string;
  readonly current: boolean;
  readonly signedInAt: string;
  readonly lastUsedAt: string;
  readonly signedInWith: string;
  readonly address: string;
  readonly userAgent: string;
}

describe('the own account', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-account-'));
  const started = new Started();
  let nats: TestNats;
  let one: RunningService;
  let other: RunningService;

  beforeAll(async () => {
    nats = started.add(await startNats());
    const start = (): Promise<RunningService> =>
      startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir, SIGN_IN_FAILURES: '3' });
    [one, other] = [started.add(await start()), started.add(await start())];
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  async function signIn(username: string, password: string, { base } = one): Promise<string> {
    const answer = await postForm(base, { grant_type: 'password', username, password });
    expect(answer.status).toBe(200);
    return String(Object(await answer.json()).access_token);
  }

  async function request(
    token: string,
    method: string,
    path: string,
    body?: unknown,
    { base } = one,
  ): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return fetch(`${base}/api/me/${path}`, init);
  }

  async function sessionsOf(token: string): Promise<readonly Shown[]> {
    const answer = await request(token, 'GET', 'sessions');
    expect(answer.status).toBe(200);
    return Object(await answer.json()).items;
  }

  function isValid(token: string, { base }: RunningService): Promise<boolean> {
    const headers = { authorization: `Bearer ${token}` };
    return fetch(`${base}/uc/discovery/user`, { headers }).then(({ status }) => status === 200);
  }

  async function endsEverywhere(token: string): Promise<void> {
    for (const service of [one, other]) {
      await eventually('the end of the token', async () => !(await isValid(token, service)));
    }
  }

  it('has rules for a new password that are shown before they are broken', async () => {
    const token = await signIn('alice', await firstUserPassword(dataDir, 'alice'));
    const answer = await request(token, 'GET', 'password-rules');
    expect(await answer.json()).toEqual({
      minLength: 10,
      maxLength: 256,
      rules: expect.arrayContaining([expect.stringContaining('10 to 256 characters')]),
      codes: ['length', 'characters', 'known', 'monotonous', 'names'],
    });
  });

  it('changes the password: the own session stays at every replica, all others end', async () => {
    const before = await firstUserPassword(dataDir, 'alice');
    const [own, second, third] = [
      await signIn('alice', before),
      await signIn('alice', before, other),
      await signIn('alice', before),
    ];
    const of = { current: before, new: CHOSEN };
    expect((await request(own, 'POST', 'password', of)).status).toBe(204);
    for (const token of [second, third]) await endsEverywhere(token);
    for (let times = 0; times < 20; times++) {
      expect([await isValid(own, one), await isValid(own, other)]).toEqual([true, true]);
    }
    const refused = await postForm(one.base, { grant_type: 'password', username: 'alice', password: before });
    expect(refused.status).toBe(400);
    await signIn('alice', CHOSEN, other);
    // The session is bound to the new password: it ends with it.
    await people('set-password', 'alice@example.test');
    await endsEverywhere(own);
  });

  it.each([
    ['short', 'The new password must have at least 10 characters.', 'length'],
    ['Password2026!', 'known passwords', 'known'],
    ['bob@example.test', 'names of its owner', 'names'],
  ])('rejects the new password %s with the reason and its code', async (chosen, reason, code) => {
    const current = await firstUserPassword(dataDir, 'bob');
    const answer = await request(await signIn('bob', current), 'POST', 'password', { current, new: chosen });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { code: 'bad-parameter', parameters: [{ name: 'new', reason: expect.stringContaining(reason), code }] },
    ]);
  });

  it.each([
    [{ current: 'x' }, 'new is missing'],
    [{ new: CHOSEN }, 'current is missing'],
    [{ current: 1, new: CHOSEN }, 'current must be a text'],
    [{ current: 'x'.repeat(2_000), new: CHOSEN }, 'current must be a text'],
    [{ current: 'x', new: CHOSEN, username: 'bob' }, 'there is no username'],
  ])('rejects the body no. %#', async (body, reason) => {
    const token = await signIn('bob', await firstUserPassword(dataDir, 'bob'));
    const answer = await request(token, 'POST', 'password', body);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(reason)]);
  });

  it('counts wrong current passwords like failed sign-ins', async () => {
    const token = await signIn('carol', await firstUserPassword(dataDir, 'carol'));
    const change = (current: string): Promise<Response> => request(token, 'POST', 'password', { current, new: CHOSEN });
    for (let times = 0; times < 3; times++) {
      const answer = await change('wrong');
      expect([answer.status, Object(await answer.json()).code]).toEqual([403, 'wrong-password']);
    }
    const limited = await change(await firstUserPassword(dataDir, 'carol'));
    expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true]);
    const signIn429 = await postForm(one.base, { grant_type: 'password', username: 'carol', password: 'x' });
    expect(signIn429.status).toBe(429);
    expect(await isValid(token, one)).toBe(true);
  });

  it('lists its sessions at every replica and ends one, or all others', async () => {
    const password = await firstUserPassword(dataDir, 'bob');
    const own = await signIn('bob', password);
    await request(own, 'DELETE', 'sessions');
    expect(await sessionsOf(own)).toHaveLength(1);
    const [second, third] = [await signIn('bob', password, other), await signIn('bob', password)];
    const items = await sessionsOf(own);
    expect(items.map(({ current }) => current)).toEqual([false, false, true]);
    for (const { signedInAt, lastUsedAt, signedInWith, address, userAgent } of items) {
      expect([signedInWith, address, userAgent]).toEqual(['password', '127.0.0.1', 'node']);
      expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(signedInAt));
    }
    expect(JSON.stringify(items)).not.toContain(own);
    const thirdId = items[0]?.id ?? '';
    expect((await request(own, 'DELETE', `sessions/${thirdId}`)).status).toBe(204);
    await endsEverywhere(third);
    expect(await isValid(second, other)).toBe(true);
    expect((await request(own, 'DELETE', `sessions/${thirdId}`)).status).toBe(404);
    expect((await request(own, 'DELETE', 'sessions')).status).toBe(204);
    await endsEverywhere(second);
    expect(await sessionsOf(own)).toHaveLength(1);
  });

  it('does not end sessions of others', async () => {
    const [bob, dave] = [await signIn('bob', await firstUserPassword(dataDir, 'bob')), await addAndSignIn('dave')];
    const [of] = await sessionsOf(dave);
    expect((await request(bob, 'DELETE', `sessions/${of?.id}`)).status).toBe(404);
    expect((await request(bob, 'DELETE', 'sessions')).status).toBe(204);
    expect(await isValid(dave, one)).toBe(true);
  });

  it.each([
    ['GET', 'sessions'],
    ['DELETE', 'sessions'],
    ['DELETE', 'sessions/x'],
    ['GET', 'password-rules'],
    ['POST', 'password'],
  ])('answers %s /api/me/%s without a token with 401 and a problem', async (method, path) => {
    const answer = await request('none', method, path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'application/problem+json']);
  });

  it('rejects unknown parameters', async () => {
    const token = await signIn('bob', await firstUserPassword(dataDir, 'bob'));
    expect((await request(token, 'GET', 'sessions?limit=1')).status).toBe(400);
  });

  it('rejects a flood of requests of one person, and of no other', async () => {
    const [erin, bob] = [await addAndSignIn('erin'), await signIn('bob', await firstUserPassword(dataDir, 'bob'))];
    for (let times = 0; times < 120; times++) await request(erin, 'GET', 'sessions');
    const limited = await request(erin, 'GET', 'sessions');
    expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await sessionsOf(bob)).not.toEqual([]);
  });

  it('answers 503 while the bus is away, and goes on afterwards', async () => {
    const current = await firstUserPassword(dataDir, 'bob');
    const [token, second] = [await signIn('bob', current), await signIn('bob', current)];
    const requests: readonly (readonly [string, string, unknown?])[] = [
      ['DELETE', 'sessions'],
      ['DELETE', 'sessions/x'],
      ['POST', 'password', { current, new: CHOSEN }],
    ];
    const all = (): Promise<Response[]> =>
      Promise.all(requests.map(([method, path, body]) => request(token, method, path, body)));
    // Checked tokens are known for a moment: what follows concerns the work itself, the second round the check.
    await request(token, 'GET', 'password-rules');
    await nats.kill();
    for (const { url, status, headers } of [...(await all()), ...(await all())]) {
      expect([url, status, headers.get('retry-after')]).toEqual([url, 503, '2']);
    }
    await nats.restart();
    await eventually('the sessions', async () => (await request(token, 'GET', 'sessions')).status === 200);
    expect(await isValid(second, one)).toBe(true);
    await signIn('bob', current);
  });

  it('has no password to change where people are in a file', async () => {
    const env = { DATA_DIR: dataDir, PEOPLE_FILE: join(dataDir, 'people.json') };
    const own = started.add(await startService(nats.peopleUrl, env));
    const current = await firstUserPassword(dataDir, 'bob');
    const token = await signIn('bob', current, own);
    const answer = await request(token, 'POST', 'password', { current, new: CHOSEN }, own);
    expect([answer.status, await answer.json()]).toMatchObject([
      409,
      { code: 'password-elsewhere', detail: expect.stringContaining('a file that this server only reads') },
    ]);
    expect((await request(token, 'GET', 'sessions', undefined, own)).status).toBe(200);
  });

  async function addAndSignIn(name: string): Promise<string> {
    const line = await people('add', `${name}@example.test`, '--name', name);
    const password = line.trim().split(' ').at(-1) ?? '';
    return eventually('the sign-in', () => signIn(name, password).catch(() => ''));
  }

  async function people(...argv: string[]): Promise<string> {
    let out = '';
    const code = await runPeopleCommand(argv, {
      env: { NATS_URL: nats.urlOf('discovery-auth') },
      readInput: () => Promise.resolve(''),
      out: (text) => void (out += text),
      err: (text) => void (out += text),
    });
    expect([code, out]).toEqual([0, expect.any(String)]);
    return out;
  }
});
