import { PEOPLE_DN, staff } from '@ringdown/testing/ldif';
import { startSlapd, type TestDirectory } from '@ringdown/testing/servers/slapd';
import { Attribute, Change } from 'ldapts';
import { DirectoryUnavailable } from '../src/index.js';
import { LdapChanges, type Change as LdapChange } from '../src/ldap/ldap-changes.js';
import { ldapParts, type LdapParts } from '../src/ldap/ldap-access.js';
import { accessFor, asAdmin } from './ldap-under-test.js';
import { Relay } from './relay.js';

const COUNT = 400;

/** Collects what was reported: people added or changed, and people removed. */
class ReportedChanges {
  put: string[] = [];
  removed = 0;

  readonly apply = ({ put, removed }: LdapChange): Promise<void> => {
    this.put.push(...put.map(({ person }) => person.username));
    this.removed += removed.length;
    return Promise.resolve();
  };
}

describe('changes of an LDAP directory', () => {
  let slapd: TestDirectory;
  const open: LdapParts[] = [];

  beforeAll(async () => {
    slapd = await startSlapd({ entries: staff(COUNT) });
  });
  afterAll(async () => {
    await Promise.all(open.map(({ service }) => service.close()));
    await slapd.stop();
  });

  /** Every reading is complete. */
  function changesAt(url: string, fullRefreshMs = 0): LdapChanges {
    const parts = ldapParts({ ...accessFor(url), pageSize: 50 });
    open.push(parts);
    return new LdapChanges({ ...parts, fullRefreshMs });
  }

  async function read(changes: LdapChanges): Promise<ReportedChanges> {
    const reported = new ReportedChanges();
    await changes.read(false, reported.apply);
    return reported;
  }

  function rename(uid: string, name: string): Promise<void> {
    const modification = new Attribute({ type: 'cn', values: [name] });
    return asAdmin(slapd.url, (admin) =>
      admin.modify(`uid=${uid},${PEOPLE_DN}`, new Change({ operation: 'replace', modification })),
    );
  }

  it('include all people at first, and none while nothing changes', async () => {
    const changes = changesAt(slapd.url);
    expect(new Set((await read(changes)).put).size).toBe(COUNT);
    expect(await read(changes)).toMatchObject({ put: [], removed: 0 });
  });

  it('include people who were changed, added or removed', async () => {
    const changes = changesAt(slapd.url);
    await read(changes);
    await rename('p7', 'Seventh Person');
    await asAdmin(slapd.url, async (admin) => {
      await admin.add(`uid=new,${PEOPLE_DN}`, { objectClass: 'inetOrgPerson', uid: 'new', sn: 'New', cn: 'New' });
      await admin.del(`uid=p8,${PEOPLE_DN}`);
    });
    const { put, removed } = await read(changes);
    expect([put.toSorted(), removed]).toEqual([['new@example.test', 'p7@example.test'], 1]);
    expect(await read(changes)).toMatchObject({ put: [], removed: 0 });
  });

  it('are found by their time between two complete readings', async () => {
    const changes = changesAt(slapd.url, 3_600_000);
    expect(await changes.read(false, new ReportedChanges().apply)).toMatchObject({ all: true });
    await rename('p9', 'Ninth Person');
    const reported = new ReportedChanges();
    expect(await changes.read(true, reported.apply)).toMatchObject({ all: false });
    expect(reported).toMatchObject({ put: ['p9@example.test'], removed: 0 });
  });

  it('include people known from another source, in any state', async () => {
    const changes = changesAt(slapd.url);
    const ids = new Map<string, string>();
    await changes.read(false, ({ put }) => {
      for (const { id, person } of put) ids.set(person.username, id);
      return Promise.resolve();
    });
    changes.markKnown([ids.get('p5@example.test') ?? '', 'an entry that is gone']);
    expect(await read(changes)).toMatchObject({ put: ['p5@example.test'], removed: 1 });
  });

  it('remove no one when the connection is lost during a reading, and continue with the rest', async () => {
    const relay = await Relay.to(Number(new URL(slapd.url).port));
    const changes = changesAt(`ldap://127.0.0.1:${relay.port}`);
    relay.limit(60_000);
    const before = new ReportedChanges();
    await expect(changes.read(false, before.apply)).rejects.toThrow(DirectoryUnavailable);
    expect(before.put.length).toBeGreaterThan(0);
    expect(before.put.length).toBeLessThan(COUNT);
    relay.limit(Number.POSITIVE_INFINITY);
    const after = await read(changes);
    expect([before.removed, after.removed]).toEqual([0, 0]);
    expect(new Set([...before.put, ...after.put]).size).toBe(COUNT);
    expect(before.put.length + after.put.length).toBe(COUNT);
    await relay.stop();
  });
});
