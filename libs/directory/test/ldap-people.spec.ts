import { eventually } from '@ringdown/testing/eventually';
import { PEOPLE_DN, staff, type LdifEntry } from '@ringdown/testing/ldif';
import { startSlapd, type TestDirectory } from '@ringdown/testing/servers/slapd';
import { Attribute, Change } from 'ldapts';
import type { People } from '../src/index.js';
import { asAdmin, OpenDirectories, settingsFor } from './ldap-under-test.js';

const COUNT = 20_000;
const GROUPS = 'ou=groups,dc=example,dc=test';

function* entries(): Generator<LdifEntry> {
  yield* staff(COUNT);
  yield person('nomail', { sn: 'Nomail', cn: 'No Mail' });
  yield person('odd', { cn: ['  Odd\u0000 \u2028Name '], mail: 'not an address', telephoneNumber: 'ask at the desk' });
  yield person("o'brien", { cn: "Pat O'Brien", mail: "pat.o'brien@example.test" });
  yield person('not a name', { cn: 'Nobody' });
  yield person('twin', { cn: 'First Twin', mail: 'shared@example.test' });
  yield { ...person('twin', { cn: 'Second Twin', mail: 'shared@example.test' }), dn: `cn=Second Twin,${PEOPLE_DN}` };
  yield person('sharer', { cn: 'Mail Sharer', mail: 'shared@example.test' });
  yield { dn: GROUPS, objectClass: 'organizationalUnit', ou: 'groups' };
  yield {
    dn: `cn=operators,${GROUPS}`,
    objectClass: 'groupOfNames',
    cn: 'operators',
    // Written differently from the entry's own name, and one that was removed.
    member: [`UID=P7, OU=People, DC=example,DC=test`, `uid=gone,${PEOPLE_DN}`],
  };
  yield {
    dn: `cn=unix,${GROUPS}`,
    objectClass: 'posixGroup',
    cn: 'unix',
    gidNumber: '100',
    memberUid: ['p8', '*', 'p9)(uid=*'],
  };
  yield {
    dn: `cn=admins,${GROUPS}`,
    objectClass: 'groupOfNames',
    cn: 'admins',
    member: [`uid=p5,${PEOPLE_DN}`, `uid=p8,${PEOPLE_DN}`],
  };
  yield {
    dn: `cn=mixed,${GROUPS}`,
    objectClass: 'groupOfUniqueNames',
    cn: 'mixed',
    uniqueMember: [
      `uid=p5,${PEOPLE_DN}#'0101'B`,
      `uid=far,ou=elsewhere,${PEOPLE_DN}`,
      'dc=other,dc=invalid',
      `uid=p9,${PEOPLE_DN}`,
    ],
  };
  // A part of the tree on another server.
  yield {
    dn: `ou=elsewhere,${PEOPLE_DN}`,
    objectClass: ['referral', 'extensibleObject'],
    ou: 'elsewhere',
    ref: 'ldap://127.0.0.1:1/ou=elsewhere,dc=example,dc=test',
  };
}

function person(uid: string, attributes: Record<string, string | readonly string[]>): LdifEntry {
  return { dn: `uid=${uid},${PEOPLE_DN}`, objectClass: 'inetOrgPerson', uid, sn: 'x', ...attributes };
}

describe('people from an LDAP directory of 20,000', () => {
  const open = new OpenDirectories();
  let slapd: TestDirectory;
  let people: People;
  let few: Record<string, string>;

  beforeAll(async () => {
    slapd = await startSlapd({ entries: entries() });
    few = { ...settingsFor(slapd.url), DIRECTORY_PEOPLE_FILTER: '(|(uid=p5)(uid=p8)(uid=p9))' };
    const env = { ...settingsFor(slapd.url), DIRECTORY_OPERATORS_GROUP: `cn=operators,${GROUPS}` };
    people = (await open.open(env)).directory.people;
  });
  afterAll(async () => {
    await open.closeAll();
    await slapd.stop();
  });

  it('are all read, page by page, with the fields of their entries', () => {
    expect(people.all).toHaveLength(COUNT + 5);
    expect(people.withUsername('P6@example.test')).toEqual({
      username: 'p6@example.test',
      name: '花子 Tanulyor',
      sipAddress: 'sip:p6@example.test',
      mail: 'x.tanulyor.6@example.test',
      title: 'Technician',
      department: 'Legal',
      company: 'Example Ltd.',
      office: '7.106',
      phones: { work: '+12025550006', mobile: '+447700900006' },
      roles: ['user'],
      contacts: [],
    });
  });

  it('may have no mail, and unusual entries do not affect others', () => {
    expect(people.withUsername('nomail@example.test')).not.toHaveProperty('mail');
    expect(people.withUsername('odd@example.test')).toEqual({
      username: 'odd@example.test',
      name: 'Odd Name',
      sipAddress: 'sip:odd@example.test',
      phones: {},
      roles: ['user'],
      contacts: [],
    });
    expect(people.withSipAddress("o'brien@example.test")).toMatchObject({ name: "Pat O'Brien" });
    expect(people.all.filter(({ name }) => name === 'Nobody')).toEqual([]);
  });

  it('may share their mail, but a username has one owner and the conflict is logged', async () => {
    expect(people.all.filter(({ mail }) => mail === 'shared@example.test')).toHaveLength(2);
    expect(people.all.filter(({ username }) => username === 'twin@example.test')).toHaveLength(1);
    const { log } = await open.open({ ...settingsFor(slapd.url), DIRECTORY_PEOPLE_FILTER: '(uid=twin)' });
    expect(log()).toContain(
      '"for":"twin@example.test","msg":"ignored entries with the username or SIP address of another entry',
    );
  });

  it('are operators by their group, whose members may be entries or user ids', async () => {
    expect(operators(people)).toEqual(['p7@example.test']);
    const env = { ...few, DIRECTORY_OPERATORS_GROUP: `cn=unix,${GROUPS}` };
    expect(operators((await open.open(env)).directory.people)).toEqual(['p8@example.test']);
  });

  it('are operators beside members of the group that are in another directory, and with a unique identifier', async () => {
    const env = { ...few, DIRECTORY_OPERATORS_GROUP: `cn=mixed,${GROUPS}` };
    expect(operators((await open.open(env)).directory.people).toSorted()).toEqual([
      'p5@example.test',
      'p9@example.test',
    ]);
  });

  it('may see users in exports if they are members of the configured group', async () => {
    const env = { ...settingsFor(slapd.url), DIRECTORY_REVEAL_GROUP: `cn=operators,${GROUPS}` };
    const { all } = (await open.open(env)).directory.people;
    expect(all.filter(({ roles }) => roles.length > 1)).toMatchObject([
      { username: 'p7@example.test', roles: ['user', 'reveal'] },
    ]);
  });

  it('are administrators by their group, beside other roles, until they leave it', async () => {
    const { directory } = await open.open({
      ...few,
      DIRECTORY_OPERATORS_GROUP: `cn=unix,${GROUPS}`,
      DIRECTORY_ADMINS_GROUP: `cn=admins,${GROUPS}`,
      DIRECTORY_FULL_REFRESH_SECONDS: '1',
      DIRECTORY_REFRESH_SECONDS: '1',
    });
    const rolesOf = (uid: string): unknown => directory.people.withUsername(`${uid}@example.test`)?.roles;
    expect(['p5', 'p8', 'p9'].map(rolesOf)).toEqual([['user', 'admin'], ['user', 'operator', 'admin'], ['user']]);
    await asAdmin(slapd.url, (admin) => {
      const modification = new Attribute({ type: 'member', values: [`uid=p5,${PEOPLE_DN}`] });
      return admin.modify(`cn=admins,${GROUPS}`, new Change({ operation: 'delete', modification }));
    });
    await eventually('the role to end', () => rolesOf('p5') !== undefined && String(rolesOf('p5')) === 'user');
    expect(rolesOf('p8')).toEqual(['user', 'operator', 'admin']);
  });

  it('are operators by an attribute', async () => {
    const env = { ...few, DIRECTORY_OPERATORS_FILTER: '(&(uid=p5)(title=*))' };
    expect(operators((await open.open(env)).directory.people)).toEqual(['p5@example.test']);
  });

  it('are selected by the filter, with the attributes in the settings', async () => {
    const { directory } = await open.open({
      ...settingsFor(slapd.url),
      DIRECTORY_PEOPLE_FILTER: '(|(uid=p1)(uid=p2)(cn=No Mail))',
      DIRECTORY_ATTRIBUTES: 'username=mail, name = sn, office=uid',
    });
    expect(directory.people.all).toHaveLength(2);
    const surname = expect.stringMatching(/^[A-Z][a-z]+$/);
    for (const office of ['p1', 'p2']) {
      expect(directory.people.all).toContainEqual(
        expect.objectContaining({ username: expect.stringMatching(`\\.${office.slice(1)}@`), name: surname, office }),
      );
    }
  });

  it('are updated from the directory: added, changed, renamed and removed people', async () => {
    const { directory } = await open.open({
      ...settingsFor(slapd.url),
      DIRECTORY_PEOPLE_FILTER: '(|(uid=p1)(uid=nomail)(uid=odd)(uid=even)(uid=new))',
      DIRECTORY_REFRESH_SECONDS: '1',
      DIRECTORY_FULL_REFRESH_SECONDS: '3',
    });
    const before = directory.people.withUsername('p1@example.test');
    const named = (name: string): Promise<unknown> =>
      eventually(`${name} to be read`, () => directory.people.all.find((person) => person.name === name));
    await asAdmin(slapd.url, async (admin) => {
      await admin.add(`uid=new,${PEOPLE_DN}`, {
        objectClass: 'inetOrgPerson',
        uid: 'new',
        sn: 'New',
        cn: 'New Person',
      });
      const modification = new Attribute({ type: 'cn', values: ['Changed Person'] });
      await admin.modify(`uid=nomail,${PEOPLE_DN}`, new Change({ operation: 'replace', modification }));
      await admin.modifyDN(`uid=odd,${PEOPLE_DN}`, 'uid=even');
    });
    await named('New Person');
    await named('Changed Person');
    await eventually('the person to be renamed', () => directory.people.withUsername('even@example.test'));
    expect(directory.people.withUsername('odd@example.test')).toBeUndefined();
    await asAdmin(slapd.url, (admin) => admin.del(`uid=new,${PEOPLE_DN}`));
    await eventually('the person to be removed', () => directory.people.withUsername('new@example.test') === undefined);
    expect(directory.people.all).toHaveLength(3);
    expect(directory.people.withUsername('p1@example.test')).toBe(before);
  });
});

function operators(people: People): string[] {
  return people.all.filter(({ roles }) => roles.includes('operator')).map(({ username }) => username);
}
