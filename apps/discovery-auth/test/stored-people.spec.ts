import { eventually, shortestMs, Started, startNats, type TestNats } from '@ringdown/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPeopleCommand } from '../src/index.js';
import { passwordOf, postForm, startService, type RunningService } from './running-service.js';

describe('people on the bus', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-stored-'));
  const started = new Started();
  let nats: TestNats;
  let replicas: readonly RunningService[];

  beforeAll(async () => {
    nats = started.add(await startNats());
    const start = (): Promise<RunningService> => startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir });
    replicas = [started.add(await start()), started.add(await start())];
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  async function people(...argv: string[]): Promise<string> {
    const lines: string[] = [];
    const code = await runPeopleCommand(argv, {
      env: { NATS_URL: nats.urlOf('discovery-auth') },
      readInput: () => Promise.resolve(''),
      out: (text) => void lines.push(text),
      err: (text) => void lines.push(text),
    });
    expect([code, lines.join('')]).toEqual([0, expect.any(String)]);
    return lines.join('');
  }

  async function signIn(username: string, password: string, replica = 0): Promise<string | undefined> {
    const answer = await postForm(replicas[replica]?.base ?? '', { grant_type: 'password', username, password });
    return answer.status === 200 ? String(Object(await answer.json()).access_token) : undefined;
  }

  async function statuses(token: string | undefined): Promise<number[]> {
    const headers = { authorization: `Bearer ${token}` };
    return Promise.all(
      replicas.map(async ({ base }) => (await fetch(`${base}/uc/discovery/user`, { headers })).status),
    );
  }

  async function endsEverywhere(token: string | undefined): Promise<void> {
    await eventually('the end of the token', async () => (await statuses(token)).every((status) => status === 401));
  }

  it('are those of the file at the first start', async () => {
    expect(await people('list')).toContain('alice@example.test\tuser\tAlice Archer\n');
    expect(await statuses(await signIn('alice', await passwordOf(dataDir, 'alice')))).toEqual([200, 200]);
  });

  it.each([
    ['block', ['block', 'bob@example.test'], false],
    ['unblock', ['unblock', 'bob@example.test'], true],
    ['sign-out', ['sign-out', 'bob@example.test'], true],
    ['rename', ['rename', 'bob@example.test', 'robert@example.test'], false],
    ['rename back', ['rename', 'robert@example.test', 'bob@example.test'], true],
    ['removal', ['remove', 'bob@example.test'], false],
  ] as const)('lose their tokens at every replica after %s', async (_what, argv, mayReturn) => {
    const password = await passwordOf(dataDir, 'bob');
    const token = await signIn('bob', password);
    await people(...argv);
    if (token !== undefined) await endsEverywhere(token);
    expect(await statuses(token)).toEqual([401, 401]);
    for (const replica of [0, 1]) {
      await eventually(
        'the change',
        async () => ((await signIn('bob', password, replica)) !== undefined) === mayReturn,
      );
    }
  });

  it('can sign in as soon as they are added, and have the new password only after a change', async () => {
    const added = await people('add', 'dave@example.test', '--name', 'Dave');
    const password = added.trim().split(' ').at(-1) ?? '';
    let token: string | undefined;
    await eventually('the sign-in', async () => (token = await signIn('dave', password, 1)) !== undefined);
    await eventually('the token', async () => (await statuses(token)).every((status) => status === 200));
    await people('set-password', 'dave@example.test');
    await endsEverywhere(token);
    expect(await signIn('dave', password)).toBeUndefined();
  });

  it.each([
    ['block', ['unblock', 'alice@example.test']],
    ['sign-out', []],
  ])('are changed at every replica within two seconds, by %s', async (command, undo) => {
    const password = await passwordOf(dataDir, 'alice');
    const msUntilChanged = async (): Promise<number> => {
      const token = await signIn('alice', password);
      expect(await statuses(token)).toEqual([200, 200]);
      await people(command, 'alice@example.test');
      const started = performance.now();
      await endsEverywhere(token);
      const passed = performance.now() - started;
      if (undo.length > 0) await people(...undo);
      await eventually('the next sign-in', () => signIn('alice', password));
      return passed;
    };
    expect(await shortestMs(2_000, msUntilChanged)).toBeLessThan(2_000);
  });

  it('remain after a restart of the bus', async () => {
    const before = await people('list');
    await nats.kill();
    await nats.restart();
    await eventually('the same people', async () => (await people('list').catch(() => '')) === before);
    const password = await passwordOf(dataDir, 'carol');
    await eventually('a sign-in', async () => (await signIn('carol', password)) !== undefined);
    expect(await people('list')).toBe(before);
  });
});
