import { PEOPLE_DN, staff } from '@ringdown/testing/ldif';
import { startSlapd, type TestDirectory } from '@ringdown/testing/servers/slapd';
import { DirectoryUnavailable } from '../src/index.js';
import { DirectoryRequestRejected } from '../src/ldap/ldap-failure.js';
import type { LdapAccess } from '../src/ldap/ldap-access.js';
import { ReadingThread } from '../src/ldap/reading-thread.js';
import { accessFor, asAdmin } from './ldap-under-test.js';

const COUNT = 300;
const DYING = new URL('dying-thread.js', import.meta.url);

/** What a thread has reported. */
class StartedThread {
  readonly names = new Map<string, string>();
  readonly thread: ReadingThread;
  changes = 0;

  constructor(access: LdapAccess, entry?: URL) {
    this.thread = new ReadingThread({
      access,
      fullRefreshMs: 0,
      ...(entry === undefined ? {} : { entry }),
      known: () => this.names.keys(),
      apply: ({ put, removed }) => {
        this.changes++;
        for (const { id, person } of put) this.names.set(id, person.name);
        for (const id of removed) this.names.delete(id);
      },
    });
  }
}

describe('the thread that reads a directory', () => {
  let slapd: TestDirectory;
  const open: ReadingThread[] = [];

  beforeAll(async () => {
    slapd = await startSlapd({ entries: staff(COUNT) });
  });
  afterAll(async () => {
    await Promise.all(open.map((thread) => thread.close()));
    await slapd.stop();
  });

  function startThread(access: LdapAccess, entry?: URL): StartedThread {
    const made = new StartedThread(access, entry);
    open.push(made.thread);
    return made;
  }

  it('reports all people in small parts, and none twice', async () => {
    const { thread, names, ...rest } = startThread(accessFor(slapd.url));
    expect(rest.changes).toBe(0);
    expect(await thread.read(false)).toEqual({ all: true, skipped: 0 });
    expect(names.size).toBe(COUNT);
    names.clear();
    await thread.read(false);
    expect(names.size).toBe(0);
  });

  it('is replaced when it has ended, by one that detects people removed meanwhile', async () => {
    const { thread, names } = startThread(accessFor(slapd.url), DYING);
    await thread.read(false);
    await asAdmin(slapd.url, (admin) => admin.del(`uid=p2,${PEOPLE_DN}`));
    await expect(thread.read(false)).rejects.toThrow(/the thread that reads the directory has ended: exit code 1/);
    expect(names.size).toBe(COUNT);
    await thread.read(true);
    expect(names.size).toBe(COUNT - 1);
  });

  it('reports why it cannot start, each time', async () => {
    const { thread } = startThread({ ...accessFor(slapd.url), peopleFilter: '(broken' });
    for (let time = 0; time < 2; time++) {
      await expect(thread.read(false)).rejects.toThrow(DirectoryUnavailable);
    }
  });

  it('distinguishes a rejected request from an unreachable directory', async () => {
    const rejected = startThread({ ...accessFor(slapd.url), baseDn: `ou=no,${PEOPLE_DN}` });
    await expect(rejected.thread.read(false)).rejects.toThrow(DirectoryRequestRejected);
    const away = startThread(accessFor('ldap://127.0.0.1:1'));
    const reading = away.thread.read(false);
    await expect(reading).rejects.toThrow(/ECONNREFUSED/);
    await expect(reading).rejects.not.toBeInstanceOf(DirectoryRequestRejected);
  });

  it('stops reading when closed, and rejects pending requests', async () => {
    const { thread } = startThread(accessFor(slapd.url));
    const reading = thread.read(false);
    await Promise.all([expect(reading).rejects.toThrow(DirectoryUnavailable), thread.close()]);
    await expect(thread.read(false)).rejects.toThrow(/being closed/);
  });
});
