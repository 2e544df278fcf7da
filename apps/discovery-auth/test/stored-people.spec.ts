import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { shortestMs } from '@ringdown/testing/timing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPeopleCommand } from '../src/people-command/people-command.js';
import { firstUserPassword, postForm, startService, type RunningService } from './running-service.js';

const PASSWORD = 'umbrella tapioca 7231';

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

  const people = (...argv: string[]): Promise<string> => peopleWith('', ...argv);

  async function peopleWith(input: string, ...argv: string[]): Promise<string> {
    const lines: string[] = [];
    const code = await runPeopleCommand(argv, {
      env: { NATS_URL: nats.urlOf('discovery-auth') },
      readInput: () => Promise.resolve(input),
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
    expect(await statuses(await signIn('alice', await firstUserPassword(dataDir, 'alice')))).toEqual([200, 200]);
  });

  it.each([
    ['block', ['block', 'bob@example.test'], false],
    ['unblock', ['unblock', 'bob@example.test'], true],
    ['sign-out', ['sign-out', 'bob@example.test'], true],
    ['rename', ['rename', 'bob@example.test', 'roalice@example.test'], false],
    ['rename back', ['rename', 'roalice@example.test', 'bob@example.test'], true],
    ['removal', ['remove', 'bob@example.test'], false],
  ] as const)('lose their tokens at every replica after %s', async (_what, argv, mayReturn) => {
    const password = await firstUserPassword(dataDir, 'bob');
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

  describe('are changed at every replica within two seconds', () => {
    let count = 0;
    type IsSeen = (user: string, token: string) => Promise<boolean>;

    const everywhere = async (path: string, token: string, isSeen: (answer: Response) => unknown): Promise<boolean> => {
      const headers = { authorization: `Bearer ${token}` };
      const seen = replicas.map(async ({ base }) => isSeen(await fetch(base + path, { headers })));
      return (await Promise.all(seen)).every(Boolean);
    };
    const isEnded: IsSeen = (_user, token) => everywhere('/uc/discovery/user', token, ({ status }) => status === 401);
    const signsIn: IsSeen = async (user) =>
      (await Promise.all([0, 1].map((replica) => signIn(user, PASSWORD, replica)))).every(Boolean);
    /** How each replica shows the person to an administrator. */
    const shows =
      (text: string): IsSeen =>
      async (user) => {
        const admin = await signIn('carol', await firstUserPassword(dataDir, 'carol'));
        return everywhere(`/api/people/${user}`, admin ?? '', async (answer) => (await answer.text()).includes(text));
      };

    it.each<[string, readonly string[], readonly string[], IsSeen]>([
      ['add', ['remove', 'USER'], ['add', 'USER', '--name', 'X', '--password-stdin'], signsIn],
      ['set', [], ['set', 'USER', '--title', 'Engineer', '--phone', 'work=+4930123', '--mail', ''], shows('+4930123')],
      ['set-contacts', [], ['set-contacts', 'USER', '--contact', 'alice@example.test'], shows('alice@example.test')],
      [
        'set-role',
        [],
        ['set-role', 'USER', '--role', 'admin'],
        (_user, token) => everywhere('/api/people', token, ({ ok }) => ok),
      ],
      ['set-password', [], ['set-password', 'USER'], isEnded],
      ['rename', [], ['rename', 'USER', 'renamed-USER'], isEnded],
      ['block', [], ['block', 'USER'], isEnded],
      ['unblock', ['block', 'USER'], ['unblock', 'USER'], signsIn],
      ['sign-out', [], ['sign-out', 'USER'], isEnded],
      ['remove', [], ['remove', 'USER'], isEnded],
      ['import', [], ['import', 'FILE', '--format', 'csv', '--update'], shows('Imported')],
    ])('by %s', async (_command, before, argv, isSeen) => {
      const msUntilSeen = async (): Promise<number> => {
        const user = `temporary${++count}@example.test`;
        const file = join(dataDir, 'import.csv');
        writeFileSync(file, `username,name,title\n${user},X,Imported\n`);
        const run = (command: readonly string[]): Promise<string> =>
          peopleWith(PASSWORD, ...command.map((part) => part.replace('USER', user).replace('FILE', file)));
        await run(['add', 'USER', '--name', 'X', '--password-stdin']);
        let token: string | undefined;
        await eventually('the sign-in', async () => (token = await signIn(user, PASSWORD)) !== undefined);
        await eventually('the token', async () => (await statuses(token)).every((status) => status === 200));
        if (before.length > 0) await run(before);
        await run(argv);
        const since = performance.now();
        await eventually('the change', () => isSeen(user, token ?? ''));
        return performance.now() - since;
      };
      expect(await shortestMs(2_000, msUntilSeen)).toBeLessThan(2_000);
    });
  });

  it('remain after a restart of the bus', async () => {
    const before = await people('list');
    await nats.kill();
    await nats.restart();
    await eventually('the same people', async () => (await people('list').catch(() => '')) === before);
    const password = await firstUserPassword(dataDir, 'carol');
    await eventually('a sign-in', async () => (await signIn('carol', password)) !== undefined);
    expect(await people('list')).toBe(before);
  });
});
