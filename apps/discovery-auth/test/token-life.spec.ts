import { Meetings } from '@ringdown/meetings';
import { Bus } from '@ringdown/nats';
import { FileDirectory } from '@ringdown/directory/people-file';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { shortestMs } from '@ringdown/testing/timing';
import { tokenHash, type Principal } from '@ringdown/token-validation';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tokens } from '../src/sign-in/tokens.js';
import { firstUserPassword, postForm, startService, type RunningService } from './running-service.js';

describe('the life of a token', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-tokens-'));
  const started = new Started();
  let nats: TestNats;
  let replicas: readonly RunningService[];

  beforeAll(async () => {
    nats = started.add(await startNats());
    const start = async (): Promise<RunningService> =>
      started.add(await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir }));
    replicas = [await start(), await start(), await start()];
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  async function signIn(): Promise<string> {
    const form = { grant_type: 'password', username: 'alice', password: await firstUserPassword(dataDir, 'alice') };
    const answer = await postForm(replicas[0]?.base ?? '', form);
    return String(Object(await answer.json()).access_token);
  }

  async function statusWith(token: string, { base }: RunningService): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${base}/uc/discovery/user`, { headers })).status;
  }

  describe('by the clock', () => {
    const HOUR = 3_600_000;
    const began = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
    let now = began;
    let bus: Bus;
    let directory: FileDirectory;
    let tokens: Tokens;
    let meetings: Meetings;

    beforeAll(async () => {
      const logger = quietLogger();
      bus = await Bus.connect({ url: nats.peopleUrl, name: 'test', logger });
      directory = await FileDirectory.open({ file: join(dataDir, 'people.json'), logger });
      const clock = { now: (): number => now };
      meetings = await Meetings.open({ bus, ...clock });
      const key = Buffer.from('key of the test');
      const lifetimes = { lifetimeSeconds: 28_800, guestLifetimeSeconds: 3_600 };
      tokens = await Tokens.open({ bus, directory, meetings, logger, key, prefix: '', ...lifetimes, ...clock });
    });
    afterAll(async () => {
      tokens.close();
      await directory.close();
      await bus.close();
    });

    async function principalAt(token: string, ms: number): Promise<Principal | null> {
      now = began + ms;
      return tokens.principalOf(tokenHash(token));
    }

    it('of a person expires after exactly eight hours', async () => {
      now = began;
      const person = directory.people.withUsername('alice@example.test');
      if (person === undefined) throw new Error('no alice');
      const signedIn = await (
        await directory.account(person.username)
      ).signIn(await firstUserPassword(dataDir, 'alice'));
      const { accessToken, expiresInSeconds } = await tokens.issue({ person, passwordMark: signedIn?.passwordMark });
      expect(expiresInSeconds).toBe(28_800);
      expect(await principalAt(accessToken, 8 * HOUR - 1)).toMatchObject({
        username: 'alice@example.test',
        expiresAt: began + 8 * HOUR,
      });
      expect(await principalAt(accessToken, 8 * HOUR)).toBeNull();
    });

    it('of a guest expires after exactly one hour', async () => {
      now = began;
      const { id, organizer } = await meetings.create({ organizer: 'sip:a@example.test', accessLevel: 'Everyone' });
      const uri = `${organizer};gruu;opaque=app:conf:focus:id:${id}`;
      const { accessToken, expiresInSeconds } = await tokens.issueToGuest('g@anonymous.invalid', uri);
      expect(expiresInSeconds).toBe(3_600);
      expect(await principalAt(accessToken, HOUR - 1)).toMatchObject({ guestOf: uri });
      expect(await principalAt(accessToken, HOUR)).toBeNull();
    });
  });

  it('ends on every replica within a second after signing out', async () => {
    const msToEnd = async (): Promise<number> => {
      const token = await signIn();
      for (const replica of replicas) expect(await statusWith(token, replica)).toBe(200);
      const signedOut = await postForm(replicas[1]?.base ?? '', { token }, '/uc/token/revoke');
      const signedOutAt = performance.now();
      expect([signedOut.status, await signedOut.text(), signedOut.headers.get('cache-control')]).toEqual([
        200,
        '{}',
        'no-store',
      ]);
      const everywhere = async (): Promise<boolean> => {
        const statuses = await Promise.all(replicas.map((replica) => statusWith(token, replica)));
        return statuses.every((status) => status === 401);
      };
      await eventually('the token to be rejected', everywhere);
      const ms = performance.now() - signedOutAt;
      expect(await everywhere()).toBe(true);
      return ms;
    };
    expect(await shortestMs(1_000, msToEnd)).toBeLessThan(1_000);
  });

  it.each<[string, (token: string) => RequestInit]>([
    ['its own token', (token) => ({ headers: { authorization: `Bearer ${token}` } })],
    ['its web ticket', (token) => ({ headers: { 'x-ringdown-webticket': token } })],
    ['a field in upper case', (token) => ({ body: new URLSearchParams({ TOKEN: token, token_type_hint: 'x' }) })],
  ])('ends when a client signs out with %s', async (_what, init) => {
    const token = await signIn();
    const kept = await signIn();
    const [replica] = replicas;
    if (replica === undefined) throw new Error('no replica');
    expect((await fetch(`${replica.base}/uc/token/revoke`, { method: 'POST', ...init(token) })).status).toBe(200);
    await eventually('the token to be rejected', async () => (await statusWith(token, replica)) === 401);
    expect(await statusWith(kept, replica)).toBe(200);
  });

  it('does not end when a sign-out names no valid token', async () => {
    const base = replicas[0]?.base ?? '';
    const answers = await Promise.all([
      postForm(base, {}, '/uc/token/revoke'),
      postForm(base, { token: 'x'.repeat(2_000) }, '/uc/token/revoke'),
      postForm(base, { token: 'unknown' }, '/uc/token/revoke'),
      fetch(`${base}/uc/token/revoke`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 200, 405]);
    expect(await answers[0]?.json()).toEqual({ error: 'invalid_request', error_description: 'token is missing' });
  });
});
