import { PEOPLE_AUDIT_PATTERN } from '@ringdown/contracts/people';
import type { PersonEntry } from '@ringdown/directory';
import { hashPassword } from '@ringdown/directory/passwords';
import { editPeopleFile, ensureFirstUsers } from '@ringdown/directory/people-file';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { runPeopleCommand } from '../src/people-command/people-command.js';
import { addAndSignIn } from './administered-people.js';
import { firstUserPassword, postForm, startService, type RunningService } from './running-service.js';

const CHOSEN = 'correct horse battery';

function known(entry: PersonEntry | undefined): PersonEntry {
  if (entry === undefined) throw new Error('a first user is missing');
  return { ...entry, contacts: [] };
}

describe('the log of changes of people', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-audit-'));
  const started = new Started();
  const lines: string[] = [];
  let nats: TestNats;
  let service: RunningService;

  beforeAll(async () => {
    nats = started.add(await startNats());
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    service = started.add(await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir }, logger));
  });
  beforeEach(() => lines.splice(0));
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  async function people(argv: readonly string[], code = 0, input = ''): Promise<string> {
    let out = '';
    let err = '';
    const ended = await runPeopleCommand(argv, {
      env: { NATS_URL: nats.urlOf('discovery-auth') },
      readInput: () => Promise.resolve(input),
      out: (text) => void (out += text),
      err: (text) => void (err += text),
    });
    expect([ended, err !== '']).toEqual([code, code !== 0]);
    return out;
  }

  function audits(): readonly unknown[] {
    return lines.map((line) => Object(JSON.parse(line)).audit).filter((audit) => audit !== undefined);
  }

  const command = { by: `command:${userInfo().username}`, from: hostname() };

  it.each([
    [['add', 'dave@example.test', '--name', 'Dave'], { action: 'add', people: ['dave@example.test'], roles: ['user'] }],
    [
      ['set', 'dave@example.test', '--title', 'Dean', '--phone', 'work=+12025550109'],
      { action: 'change', people: ['dave@example.test'], changed: ['phones', 'title'] },
    ],
    [
      ['set-role', 'dave@example.test', '--role', 'admin'],
      { action: 'change', people: ['dave@example.test'], changed: ['roles'], roles: ['user', 'admin'] },
    ],
    [['set-password', 'dave@example.test'], { action: 'change', changed: ['password', 'sessions'] }],
    [['sign-out', 'dave@example.test'], { action: 'change', changed: ['sessions'] }],
    [['block', 'bob@example.test'], { action: 'change', changed: ['blocked'], blocked: true }],
    [['unblock', 'bob@example.test'], { action: 'change', changed: ['blocked'], blocked: false }],
    [
      ['rename', 'bob@example.test', 'robert@example.test'],
      { action: 'rename', changed: ['username', 'sipAddress'], newUsername: 'robert@example.test' },
    ],
    [['remove', 'robert@example.test'], { action: 'remove', people: ['robert@example.test'] }],
  ])('has one line for %j', async (argv, audit) => {
    await people(argv);
    expect(audits()).toEqual([expect.objectContaining({ ...command, ...audit, result: 'done' })]);
  });

  it('has a line for a change that was rejected, with the reason', async () => {
    await people(['set-role', 'carol@example.test', '--role', 'operator']);
    lines.splice(0);
    await people(['remove', 'dave@example.test'], 1);
    expect(audits()).toEqual([
      {
        ...command,
        action: 'remove',
        people: ['dave@example.test'],
        result: 'rejected',
        reason: 'dave@example.test is the last administrator; --force changes it nevertheless',
      },
    ]);
  });

  it('has a line for a binding to a provider that somebody wanted to end, and that there was not', async () => {
    await people(['unbind', 'alice@example.test'], 1);
    const change = { action: 'change', people: ['alice@example.test'], changed: ['identity'], result: 'rejected' };
    const reason = 'alice@example.test is not bound to an account of a sign-in provider';
    expect(audits()).toEqual([{ ...command, ...change, reason }]);
  });

  it('has the people of an import, 200 in a line', async () => {
    const file = join(dataDir, 'people.csv');
    const names = Array.from({ length: 250 }, (_, n) => `n${n}@example.test`);
    writeFileSync(file, `username,name\n${names.map((name) => `${name},N\n`).join('')}`);
    await people(['import', file]);
    expect(audits()).toEqual([
      { ...command, action: 'import', people: names.slice(0, 200), result: 'done' },
      { ...command, action: 'import', people: names.slice(200), result: 'done' },
    ]);
  });

  it('has lines for what people do with their own account, also for a wrong password', async () => {
    const current = await firstUserPassword(dataDir, 'alice');
    const answer = await postForm(service.base, { grant_type: 'password', username: 'alice', password: current });
    const token = String(Object(await answer.json()).access_token);
    const request = async (method: string, path: string, body?: object): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      return (await fetch(`${service.base}/api/me/${path}`, init)).status;
    };
    expect(await request('POST', 'password', { current: 'wrong secret', new: CHOSEN })).toBe(403);
    expect(await request('POST', 'password', { current, new: CHOSEN })).toBe(204);
    expect(await request('DELETE', 'sessions')).toBe(204);
    expect(await request('DELETE', 'sessions/x')).toBe(404);
    const alice = { by: 'alice@example.test', from: '127.0.0.1', people: ['alice@example.test'] };
    expect(audits()).toEqual([
      {
        ...alice,
        action: 'change',
        changed: ['password'],
        result: 'rejected',
        reason: 'The current password is wrong.',
      },
      { ...alice, action: 'change', changed: ['password'], result: 'done' },
      { ...alice, action: 'end-sessions', changed: ['sessions'], result: 'done' },
      {
        ...alice,
        action: 'end-sessions',
        changed: ['sessions'],
        result: 'rejected',
        reason: 'You have no such session; it may have ended.',
      },
    ]);
    expect(lines.join('')).not.toMatch(/argon2|wrong secret|correct horse/);
    expect(lines.join('')).not.toContain(current);
  });

  it('has a line for a sign-out, and none for an unknown token', async () => {
    const token = await addAndSignIn(nats.urlOf('discovery-auth'), service, 'frank');
    lines.splice(0);
    for (const each of [token, token, 'unknown']) {
      expect((await postForm(service.base, { token: each }, '/uc/token/revoke')).status).toBe(200);
    }
    const frank = 'frank@example.test';
    const from = { by: frank, from: '127.0.0.1', people: [frank] };
    expect(audits()).toEqual([{ ...from, action: 'end-sessions', changed: ['sessions'], result: 'done' }]);
    expect(lines.join('')).not.toContain(token);
  });

  it('has lines for changes of a people file, without secrets', async () => {
    const own = mkdtempSync(join(tmpdir(), 'ringdown-audit-'));
    const { peopleFile } = await ensureFirstUsers(own, 'example.test');
    const other = started.add(await startNats());
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const env = { DATA_DIR: own, PEOPLE_FILE: peopleFile };
    const reading = started.add(await startService(other.urlOf('discovery-auth'), env, logger));
    lines.splice(0);
    const passwordHash = await hashPassword(CHOSEN);
    await editPeopleFile(peopleFile, ([alice, bob, carol]) => [
      { ...known(alice), blocked: true },
      { ...known(carol), roles: ['user'], passwordHash },
      { ...known(bob), username: 'rob@example.test', sipAddress: 'sip:rob@example.test' },
    ]);
    const by = { by: 'people-file', from: hostname(), result: 'done' };
    await eventually('the lines', () => audits().length >= 4);
    expect(audits()).toEqual([
      { ...by, action: 'change', people: ['alice@example.test'], changed: ['contacts', 'blocked'], blocked: true },
      { ...by, action: 'remove', people: ['bob@example.test'] },
      {
        ...by,
        action: 'change',
        people: ['carol@example.test'],
        changed: ['roles', 'contacts', 'password'],
        roles: ['user'],
      },
      { ...by, action: 'add', people: ['rob@example.test'], roles: ['user'] },
    ]);
    expect(lines.join('')).not.toMatch(/argon2/);
    await reading.stop();
    rmSync(own, { recursive: true });
  });

  it('has no line for another message on its subject', async () => {
    for (const message of [null, 1, {}, { action: 'add', by: 'x'.repeat(301), from: 'y', people: [] }]) {
      await expect(service.bus.request(PEOPLE_AUDIT_PATTERN, message, 5_000)).rejects.toThrow('an error');
    }
    expect(audits()).toEqual([]);
  });

  it('is missing when no service runs: the command says so, and the change is made', async () => {
    await service.stop();
    let err = '';
    const code = await runPeopleCommand(['set-role', 'alice@example.test', '--role', 'operator'], {
      env: { NATS_URL: nats.urlOf('discovery-auth') },
      readInput: () => Promise.resolve(''),
      out: () => undefined,
      err: (text) => void (err += text),
    });
    expect([code, err]).toEqual([0, expect.stringContaining('the change is not in the log of a server')]);
    await eventually('the change', async () => (await people(['list'])).includes('alice@example.test\tuser,operator'));
  });
});
