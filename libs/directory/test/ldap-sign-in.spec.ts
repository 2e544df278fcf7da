import { PEOPLE_DN, staff, type LdifEntry } from '@ringdown/testing/ldif';
import { startSlapd, type TestDirectory } from '@ringdown/testing/servers/slapd';
import { differenceInTime } from '@ringdown/testing/timing';
import { authenticate } from './authenticate.js';
import { Attribute, Change } from 'ldapts';
import { DirectoryBusy, type Directory } from '../src/index.js';
import { asAdmin, OpenDirectories, settingsFor } from './ldap-under-test.js';

function* entries(): Generator<LdifEntry> {
  yield* staff(200);
  yield person('nomail', 'secret of nomail', {});
  yield person('star*(x)\\', 'secret of star', { mail: 'star@example.test' });
  yield person('double', 'secret of double', { mail: 'p5@example.test' });
  yield person('claimer', 'secret of claimer', { mail: 'claimer@example.test', employeeNumber: 'p6' });
  yield person('Zoë', 'geheim ü\u0000*', { mail: 'zoe@example.test' });
}

function person(uid: string, userPassword: string, more: Record<string, string>): LdifEntry {
  const dn = `uid=${uid.replaceAll(/[\\]/g, '\\5c')},${PEOPLE_DN}`;
  return { dn, objectClass: 'inetOrgPerson', uid, cn: `Name of ${uid}`, sn: uid, userPassword, ...more };
}

describe('a sign-in at an LDAP directory', () => {
  const open = new OpenDirectories();
  let slapd: TestDirectory;
  let directory: Directory;

  beforeAll(async () => {
    slapd = await startSlapd({ entries: entries() });
    ({ directory } = await open.open(settingsFor(slapd.url)));
  });
  afterAll(async () => {
    await open.closeAll();
    await slapd.stop();
  });

  async function who(name: string, password: string, at = directory): Promise<string | undefined> {
    return (await authenticate(at, name, password))?.username;
  }

  it.each([
    ['p1@example.test', 'password of p1', 'p1@example.test'],
    ['P1@Example.Test', 'password of p1', 'p1@example.test'],
    ['sip:p1@example.test', 'password of p1', 'p1@example.test'],
    ['nomail@example.test', 'secret of nomail', 'nomail@example.test'],
    ['zoe@example.test', 'geheim ü\u0000*', 'zoë@example.test'],
    ['zoë@example.test', 'geheim ü\u0000*', 'zoë@example.test'],
  ])('as %s with the right password succeeds', async (name, password, username) => {
    expect(await who(name, password)).toBe(username);
  });

  it.each([
    ['full-width letters', 'ｐ１@example.test'],
    ['circled letters', 'ⓟ①@example.test'],
    ['its mail address', ''],
  ])('with a name written in %s is for the same account', async (_how, written) => {
    const mail = directory.people.withUsername('p1@example.test')?.mail ?? '';
    const known = await directory.account('p1@example.test');
    const account = await directory.account(written === '' ? mail : written);
    expect(known.id).toBeDefined();
    expect(account.id).toBe(known.id);
    expect(await account.signIn('wrong')).toBeUndefined();
    expect((await directory.account('nobody@example.test')).id).toBeUndefined();
  });

  it('by mail is for the person with that mail', async () => {
    const mail = directory.people.withUsername('p2@example.test')?.mail ?? '';
    expect(await who(mail, 'password of p2')).toBe('p2@example.test');
  });

  it.each([
    ['p1@example.test', 'password of p2'],
    ['p1@example.test', ''],
    ['p1@example.test', 'password of p1 '],
    ['p150@example.test', 'password of p150'],
    ['nobody@example.test', 'password of p1'],
    ['p1@elsewhere.test', 'password of p1'],
    ['', 'password of p1'],
    ['', ''],
    ['@example.test', 'password of p1'],
  ])('as %j with %j is rejected', async (name, password) => {
    expect(await who(name, password)).toBeUndefined();
  });

  it.each([
    '*',
    'p*@example.test',
    '*@example.test',
    'p1*',
    'p1)(uid=*@example.test',
    '*)(uid=*))(|(uid=*@example.test',
    'p1@example.test)(&',
    'p1\\2a@example.test',
    'p\\31@example.test',
    'p1\u0000@example.test',
    'p1@example.test\u0000',
    '\u0000',
    `uid=p1,${PEOPLE_DN}`,
    `p1,${PEOPLE_DN}@example.test`,
    'p 1@example.test',
    '(|(uid=p1))@example.test',
    '\\',
    '\ud800@example.test',
    `${'p1'.repeat(5_000)}@example.test`,
  ])('treats the name %j only as a name', async (name) => {
    expect(await who(name, 'password of p1')).toBeUndefined();
    // And the connection still works.
    expect(await who('p1@example.test', 'password of p1')).toBe('p1@example.test');
  });

  it('matches a name with filter characters only to the person with exactly this name', async () => {
    expect(await who('star@example.test', 'secret of star')).toBeUndefined();
    const other = await open.open({ ...settingsFor(slapd.url), DIRECTORY_ATTRIBUTES: 'username=mail' });
    expect(await who('star*(x)\\@example.test', 'secret of star', other.directory)).toBe('star@example.test');
    expect(await who('star*(x)@example.test', 'secret of star', other.directory)).toBeUndefined();
  });

  it('is rejected for a name of two entries', async () => {
    const env = { ...settingsFor(slapd.url), DIRECTORY_SIGN_IN_ATTRIBUTES: 'uid,employeeNumber' };
    const { directory: other, log } = await open.open(env);
    expect(await who('p6@example.test', 'password of p6', other)).toBeUndefined();
    expect(await who('p6@example.test', 'secret of claimer', other)).toBeUndefined();
    expect(log()).toContain('sign-in rejected: two entries have this name');
    expect(log()).not.toContain('secret of claimer');
    expect(await who('claimer@example.test', 'secret of claimer', other)).toBe('claimer@example.test');
  });

  it('accepts a new password at once, and the old one no more', async () => {
    await asAdmin(slapd.url, (admin) => {
      const modification = new Attribute({ type: 'userPassword', values: ['changed'] });
      return admin.modify(`uid=p3,${PEOPLE_DN}`, new Change({ operation: 'replace', modification }));
    });
    expect(await who('p3@example.test', 'password of p3')).toBeUndefined();
    expect(await who('p3@example.test', 'changed')).toBe('p3@example.test');
  });

  it('makes a person known who was added after the last reading', async () => {
    expect(directory.people.withUsername('late@example.test')).toBeUndefined();
    await asAdmin(slapd.url, (admin) =>
      admin.add(`uid=late,${PEOPLE_DN}`, {
        objectClass: 'inetOrgPerson',
        uid: 'late',
        cn: 'Late Comer',
        sn: 'Comer',
        userPassword: 'late secret',
      }),
    );
    expect(await who('late@example.test', 'late secret')).toBe('late@example.test');
    expect(directory.people.withUsername('late@example.test')).toMatchObject({ name: 'Late Comer' });
  });

  it('takes as long for an unknown name as for a wrong password', async () => {
    const reject = async (name: string): Promise<void> => expect(await who(name, 'wrong')).toBeUndefined();
    const apart = await differenceInTime({
      one: () => reject('p1@example.test'),
      other: () => reject('nobody@example.test'),
      rounds: 60,
      atLeastMs: 4,
    });
    expect(apart).toBeLessThan(0.5);
  });

  it('is queued in a flood, and rejected with a retry time when the queue is full', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 300 }, (_, number) => who(`p${number % 50}@example.test`, 'wrong')),
    );
    const busy = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(busy.length).toBeGreaterThan(0);
    expect(busy.every(({ reason }) => reason instanceof DirectoryBusy)).toBe(true);
    expect(outcomes.length - busy.length).toBeGreaterThanOrEqual(4 + 64);
    expect(await who('p1@example.test', 'password of p1')).toBe('p1@example.test');
  });
});
