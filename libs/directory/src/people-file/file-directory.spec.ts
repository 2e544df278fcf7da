import { createLogger } from '@ringdown/observability';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authenticate } from '../../test/authenticate.js';
import type { People } from '../index.js';
import { hashPassword } from '../doors/passwords.js';
import {
  editPeopleFile,
  ensureFirstUsers,
  FileDirectory,
  readFirstUsers,
  readPeopleFile,
} from '../doors/people-file.js';

const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });
const folder = mkdtempSync(join(tmpdir(), 'ringdown-directory-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('first users', () => {
  const dataDir = join(folder, 'data');

  it('are alice, bob and carol with generated passwords, stored only in the file for the installer', async () => {
    const { created, peopleFile, firstUsersFile } = await ensureFirstUsers(dataDir, 'example.test');
    expect(created).toBe(true);
    const firstUsers = await readFirstUsers(firstUsersFile);
    expect(firstUsers.map(({ username, roles }) => [username, roles])).toEqual([
      ['alice@example.test', ['user']],
      ['bob@example.test', ['user']],
      ['carol@example.test', ['user', 'operator', 'reveal', 'admin']],
    ]);
    expect(firstUsers.map((user) => Object.keys(user))).toEqual(
      firstUsers.map(() => ['username', 'password', 'roles']),
    );
    const people = readFileSync(peopleFile, 'utf8');
    for (const { password } of firstUsers) expect(people).not.toContain(password);
    for (const file of [peopleFile, firstUsersFile]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('are never overwritten', async () => {
    const before = readFileSync(join(dataDir, 'people.json'), 'utf8');
    expect(await ensureFirstUsers(dataDir, 'other.test')).toMatchObject({ created: false });
    expect(readFileSync(join(dataDir, 'people.json'), 'utf8')).toBe(before);
  });

  it('keep the passwords already written when the first start was interrupted', async () => {
    const cut = join(folder, 'cut');
    const { peopleFile, firstUsersFile } = await ensureFirstUsers(cut, 'example.test');
    const [alice] = await readFirstUsers(firstUsersFile);
    rmSync(peopleFile);
    await Promise.all([ensureFirstUsers(cut, 'example.test'), ensureFirstUsers(cut, 'example.test')]);
    const directory = await FileDirectory.open({ file: peopleFile, logger });
    expect(await authenticate(directory, alice?.username ?? '', alice?.password ?? '')).toMatchObject({
      username: 'alice@example.test',
    });
    await directory.close();
  });

  it('have each other as contacts', async () => {
    const directory = await FileDirectory.open({ file: join(dataDir, 'people.json'), logger });
    const bob = directory.people.withUsername('BOB@example.test');
    expect(bob && directory.people.contactsOf(bob).map(({ name }) => name)).toEqual(['Alice Archer', 'Carol Cooper']);
    await directory.close();
  });
});

describe('a directory from a file', () => {
  const file = join(folder, 'people.json');
  let directory: FileDirectory;

  function write(names: readonly string[], passwordHash?: string): void {
    const people = names.map((name) => ({
      username: `${name}@example.test`,
      name,
      sipAddress: `sip:${name}.sip@example.test`,
      roles: ['user'],
      passwordHash,
    }));
    writeFileSync(file, JSON.stringify({ people }), { mode: 0o600 });
  }

  function nextChange(): Promise<People> {
    return new Promise((resolve) => {
      const end = directory.onChange((people) => {
        end();
        resolve(people);
      });
    });
  }

  beforeAll(async () => {
    write(['dave'], await hashPassword('right'));
    directory = await FileDirectory.open({ file, logger, pollMs: 50 });
  });
  afterAll(() => directory.close());

  it('signs users in by username or SIP address in any case', async () => {
    expect(await authenticate(directory, 'Dave@example.test', 'right')).toMatchObject({ name: 'dave' });
    expect(await authenticate(directory, 'sip:dave.sip@example.test', 'right')).toMatchObject({ name: 'dave' });
    expect(await authenticate(directory, 'dave@example.test', 'wrong')).toBeUndefined();
    expect(await authenticate(directory, 'nobody@example.test', 'right')).toBeUndefined();
  });

  it('detects a changed password since a sign-in, also before it has read the change', async () => {
    const other = await FileDirectory.open({ file, logger, pollMs: 3_600_000 });
    try {
      const signedIn = await (await directory.account('dave@example.test')).signIn('right');
      if (signedIn === undefined) throw new Error('dave was refused');
      const before = { mark: signedIn.passwordMark, at: Date.now() };
      expect(await other.hasPasswordOf(signedIn.person, before)).toBe(true);
      const changed = nextChange();
      write(['dave'], await hashPassword('right'));
      await changed;
      const after = {
        mark: (await (await directory.account('dave@example.test')).signIn('right'))?.passwordMark,
        at: Date.now(),
      };
      expect(await other.hasPasswordOf(signedIn.person, after)).toBe(true);
      for (const each of [directory, other]) expect(await each.hasPasswordOf(signedIn.person, before)).toBe(false);
      expect(await other.hasPasswordOf(signedIn.person, { at: Date.now() })).toBe(true);
    } finally {
      await other.close();
    }
  });

  it('reveals no password hash', () => {
    expect(JSON.stringify(directory.people)).not.toContain('argon2');
  });

  it('reads a changed file without a restart, and keeps the people when the file becomes invalid', async () => {
    const changed = nextChange();
    write(['dave', 'erin']);
    expect((await changed).withUsername('erin@example.test')).toMatchObject({ name: 'erin' });

    writeFileSync(file, '{');
    await until(() => expect(directory.problem).toBe(`the people file ${file} is not JSON`));
    expect(directory.people.all).toHaveLength(2);

    const mended = nextChange();
    write(['erin']);
    expect((await mended).all).toHaveLength(1);
    await until(() => expect(directory.problem).toBeUndefined());
  });

  it('accepts the rest of the file when contacts are unknown, and names them in one warning', async () => {
    const lines: unknown[][] = [];
    const noting = logger.child({});
    noting.warn = (...line: unknown[]) => void lines.push(line);
    const own = join(folder, 'contacts.json');
    const entry = (name: string, ...contacts: string[]): object => ({
      username: `${name}@example.test`,
      name,
      sipAddress: `sip:${name}@example.test`,
      roles: ['user'],
      contacts,
    });
    const put = (...people: object[]): void => writeFileSync(own, JSON.stringify({ people }), { mode: 0o600 });
    const [gina, hal, ian] = [entry('gina', 'hal@example.test', 'ian@example.test'), entry('hal'), entry('ian')];
    put(gina, hal, ian);
    const followed = await FileDirectory.open({ file: own, logger: noting, pollMs: 50 });
    try {
      put(gina, ian);
      await until(() => expect(followed.people.withUsername('hal@example.test')).toBeUndefined());
      expect(followed.people.withUsername('gina@example.test')?.contacts).toEqual(['ian@example.test']);
      await until(() => expect(followed.problem).toBeUndefined());
      const contacts = 'gina@example.test has the contact hal@example.test';
      expect(lines).toEqual([
        [{ file: own, contacts }, 'contacts ignored: their usernames are not in the people file'],
      ]);
    } finally {
      await followed.close();
    }
  });

  it('cannot be opened without a readable file, and leaves the report to the caller', async () => {
    const lines: unknown[] = [];
    const noting = logger.child({});
    noting.error = (...line: unknown[]) => void lines.push(line);
    await expect(FileDirectory.open({ file: join(folder, 'none.json'), logger: noting })).rejects.toThrow(
      'none.json (PEOPLE_FILE) cannot be read: it does not exist',
    );
    // The watcher reports a missing file a moment after its start.
    await new Promise((later) => setTimeout(later, 50));
    expect(lines).toEqual([]);
  });

  it('is edited by one command at a time, and the file stays readable for its owner only', async () => {
    write(['dave']);
    chmodSync(file, 0o644);
    const names = ['f', 'g', 'h'];
    await Promise.all(
      names.map((name) =>
        editPeopleFile(file, (people) => [
          ...people,
          {
            username: `${name}@example.test`,
            name,
            sipAddress: `sip:${name}@example.test`,
            phones: {},
            roles: ['user'],
            contacts: [],
          },
        ]),
      ),
    );
    expect((await readPeopleFile(file)).map(({ name }) => name).toSorted()).toEqual(['dave', ...names]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

async function until(check: () => void): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      return check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
