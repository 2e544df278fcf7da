import { FileDirectory, readPeopleFile } from '@ringdown/directory/people-file';
import { createLogger } from '@ringdown/observability';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPeopleCommand } from './people-command.js';

const folder = mkdtempSync(join(tmpdir(), 'ringdown-people-'));
const peopleFile = join(folder, 'own', '..', 'staff.json');
afterAll(() => rmSync(folder, { recursive: true }));

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function people(env: Record<string, string>, argv: readonly string[], input = ''): Promise<Outcome> {
  let out = '';
  let err = '';
  const code = await runPeopleCommand(argv, {
    env,
    readInput: () => Promise.resolve(input),
    out: (text) => void (out += text),
    err: (text) => void (err += text),
  });
  return { code, out, err };
}

async function signsIn(file: string, username: string, password: string): Promise<boolean> {
  const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });
  const directory = await FileDirectory.open({ file, logger });
  await directory.close();
  return (await (await directory.account(username)).signIn(password)) !== undefined;
}

describe('npm run people for a people file', () => {
  const file = join(folder, 'people.json');
  const env = { PEOPLE_FILE: file };

  it('explains what to do while there are no people', async () => {
    expect(await people(env, ['list'])).toMatchObject({ code: 1, err: expect.stringContaining('add creates it') });
    const err = expect.stringContaining('start the server first');
    expect(await people({ DATA_DIR: folder }, ['list'])).toMatchObject({ code: 1, err });
  });

  it('prints the usage', async () => {
    expect(await people({}, ['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('Usage:'), err: '' });
  });

  it('prints the rules for new passwords with the usage', async () => {
    const { out } = await people({ PASSWORD_MIN_LENGTH: '14' }, ['--help']);
    expect(out).toContain('A new password\n  - has 14 to 256 characters\n');
  });

  it('refuses to change people of a directory server', async () => {
    const { code, err } = await people({ DIRECTORY_URL: 'ldaps://ldap.example.test' }, ['list']);
    expect([code, err]).toEqual([1, expect.stringContaining('stored in that directory; change them there')]);
  });

  it('creates the first users and lists them without secrets', async () => {
    expect(await people({ DATA_DIR: folder }, ['ensure-first-users'])).toMatchObject({ code: 0 });
    expect((await people({ DATA_DIR: folder }, ['ensure-first-users'])).out).toContain('has people already');
    const { out } = await people(env, ['list']);
    expect(out.split('\n')).toEqual([
      'alice@example.test\tuser\tAlice Archer',
      'bob@example.test\tuser\tBob Baker',
      'carol@example.test\tuser,operator,reveal,admin\tCarol Cooper',
      '',
    ]);
  });

  it('adds a person and prints the generated password once', async () => {
    const add = [
      'add',
      'Dave@example.test',
      '--name',
      'Dave D',
      '--role',
      'operator',
      '--contact',
      'alice@example.test',
    ];
    const { code, out } = await people(env, add);
    expect(code).toBe(0);
    const [, password = ''] = /^dave@example\.test: password (\S+)\n$/.exec(out) ?? [];
    expect(await signsIn(file, 'dave@example.test', password)).toBe(true);
    expect(readFileSync(file, 'utf8')).not.toContain(password);
    expect((await people(env, ['list'])).out).toContain('dave@example.test\tuser,operator\tDave D\n');
    expect(await people(env, add)).toMatchObject({ code: 1, err: expect.stringContaining('already exists') });
  });

  it('sets a password, generated or from the input', async () => {
    const { out } = await people(env, ['set-password', 'bob@example.test']);
    expect(await signsIn(file, 'bob@example.test', out.trim().split(' ').at(-1) ?? '')).toBe(true);
    const chosen = await people(env, ['set-password', 'bob@example.test', '--password-stdin'], 'correct horse\nx');
    expect(chosen).toEqual({ code: 0, out: 'bob@example.test: password set\n', err: '' });
    expect(await signsIn(file, 'bob@example.test', 'correct horse')).toBe(true);
  });

  it('imports the standard input', () => {
    const main = join(import.meta.dirname, '..', 'people-main.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'import', '-', '--format', 'csv'], {
      env: { PEOPLE_FILE: file },
      input: Buffer.from('username;name\nfinn@example.test;Finn F\nfay@example.test;F\xff\n', 'latin1'),
      encoding: 'utf8',
    });
    expect([status, stdout, stderr]).toEqual([
      3,
      '1 people stored, 1 lines rejected\n',
      expect.stringContaining('line 3: '),
    ]);
  });

  it('changes, blocks, renames and removes a person', async () => {
    const dave = 'dave@example.test';
    const run = async (...argv: string[]): Promise<string> => {
      const { code, out, err } = await people(env, argv);
      expect([code, err]).toEqual([0, '']);
      return out;
    };
    await run('set', dave, '--phone', 'work=+12025550109', '--title', 'Dean', '--mail', '');
    const stored = async (): Promise<unknown> => (await readPeopleFile(file)).find(({ name }) => name === 'Dave D');
    expect(await stored()).toMatchObject({ phones: { work: '+12025550109' }, title: 'Dean' });
    expect(await stored()).not.toHaveProperty('mail');
    await run('block', dave);
    expect(await run('list')).toContain('Dave D\t(blocked)\n');
    await run('unblock', dave);
    await run('sign-out', dave);
    expect(await stored()).toMatchObject({ signOuts: 1 });
    await run('set-contacts', 'alice@example.test', '--contact', dave);
    await run('rename', dave, 'david@example.test');
    const renamed = await readPeopleFile(file);
    expect(renamed.find(({ name }) => name === 'Alice Archer')?.contacts).toEqual(['david@example.test']);
    expect(renamed.find(({ name }) => name === 'Dave D')?.sipAddress).toBe('sip:david@example.test');
    expect(await run('remove', 'david@example.test')).toBe('david@example.test: removed\n');
    expect(await run('list')).not.toContain('Dave');
  });

  it('keeps the last administrator, unless forced', async () => {
    const carol = 'carol@example.test';
    for (const argv of [
      ['set-role', carol, '--role', 'operator'],
      ['block', carol],
      ['remove', carol],
    ]) {
      expect(await people(env, argv)).toEqual({
        code: 1,
        out: '',
        err: 'people: carol@example.test is the last administrator; --force changes it nevertheless\n',
      });
    }
    expect(await people(env, ['set-role', 'bob@example.test', '--role', 'admin'])).toMatchObject({ code: 0 });
    expect(await people(env, ['set-role', carol])).toMatchObject({ code: 0 });
    expect(await people(env, ['set-role', 'bob@example.test'])).toMatchObject({ code: 1 });
    expect(await people(env, ['set-role', 'bob@example.test', '--force'])).toMatchObject({ code: 0 });
  });

  it.each([
    ['add', 'erin@foreign.test', '--name', 'Erin'],
    ['add', 'erin@example.test', '--name', 'Erin', '--sip', 'sip:erin@foreign.test'],
    ['rename', 'bob@example.test', 'bob@foreign.test'],
  ])('refuses a domain that is not served: %s %s', async (...argv) => {
    expect(await people(env, argv)).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(
        /^people: the domain of \S+@foreign.test is not served: SIP_DOMAINS is example.test\n$/,
      ),
    });
    expect((await people(env, ['list'])).out).not.toContain('foreign');
  });

  it('changes a person of a domain that is not served any more', async () => {
    const later = { ...env, SIP_DOMAINS: 'later.test' };
    expect(await people(later, ['set', 'bob@example.test', '--title', 'Baker'])).toMatchObject({ code: 0 });
    expect(await people(later, ['rename', 'bob@example.test', 'bob@later.test'])).toMatchObject({ code: 0 });
    expect(await people(env, ['rename', 'bob@later.test', 'bob@example.test'])).toMatchObject({ code: 0 });
  });

  it('creates its own file if PEOPLE_FILE names one', async () => {
    const own = { PEOPLE_FILE: peopleFile, SIP_DOMAINS: 'other.test' };
    expect(await people(own, ['add', 'erin@other.test', '--name', 'Erin'])).toMatchObject({ code: 0 });
    expect((await people(own, ['list'])).out).toBe('erin@other.test\tuser\tErin\n');
    expect(await people(own, ['ensure-first-users'])).toMatchObject({ code: 1 });
  });

  it.each<[readonly string[], number, string, string?]>([
    [[], 2, 'no command given'],
    [['constructor'], 2, 'unknown command "constructor"'],
    [['add', 'x@example.test'], 2, 'add needs --name'],
    [['add', '--name', 'X'], 2, 'add expects one username'],
    [['list', 'x'], 2, 'list expects no username'],
    [
      ['add', 'x@example.test', '--name', 'X', '--role', 'root'],
      2,
      '--role is one of user, operator, reveal, admin, not "root"',
    ],
    [['set', 'bob@example.test'], 2, 'set expects at least one of --name'],
    [['set', 'bob@example.test', '--phone', 'fax=1'], 2, '--phone is work, home, mobile, other'],
    [['set', 'bob@example.test', '--phone', 'work=12'], 1, 'bob@example.test.phones.work must be a number like'],
    [['rename', 'bob@example.test'], 2, 'rename expects the old and the new username'],
    [['rename', 'bob@example.test', 'alice@example.test'], 1, 'alice@example.test already exists'],
    [['rename', 'bob@example.test', 'x@example.test', '--sip', 'sip:alice@example.test'], 1, 'is the SIP address of'],
    [['add', 'x@example.test', '--nmae', 'X'], 2, "Unknown option '--nmae'"],
    [['add', 'x', '--name', 'X'], 1, 'the username must look like user@example.test'],
    [['add', 'x@example.test', '--name', 'X', '--contact', 'y@z.test'], 1, 'unknown username y@z.test'],
    [['set-password', 'x@example.test'], 1, 'unknown username x@example.test'],
    [['set-password', 'bob@example.test', '--password-stdin'], 1, 'the password must have at least 10 characters'],
    [['set-password', 'bob@example.test', '--password-stdin'], 1, 'is on the list of known passwords', 'Sunshine 2026'],
    [
      ['add', 'x@example.test', '--name', 'Xavier Young', '--password-stdin'],
      1,
      'the password must not be made of names',
      'xavieryoung1',
    ],
  ])('refuses %j', async (argv, code, message, input = '') => {
    expect(await people(env, argv, input)).toMatchObject({ code, out: '', err: expect.stringContaining(message) });
  });
});
