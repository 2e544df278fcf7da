import { setDirectoryPassword } from '@ringdown/testing/directory-access';
import { eventually } from '@ringdown/testing/eventually';
import { PEOPLE_DN, staff } from '@ringdown/testing/ldif';
import { startSlapd, type TestDirectory } from '@ringdown/testing/servers/slapd';
import type { Directory, SignInResult } from '../src/index.js';
import { asAdmin, OpenDirectories, settingsFor } from './ldap-under-test.js';

describe('a changed password in an LDAP directory with password policies', () => {
  const open = new OpenDirectories();
  let slapd: TestDirectory;
  let directory: Directory;

  beforeAll(async () => {
    slapd = await startSlapd({ entries: staff(20), overlays: ['ppolicy'] });
    ({ directory } = await open.open({ ...settingsFor(slapd.url), DIRECTORY_REFRESH_SECONDS: '1' }));
  });
  afterAll(async () => {
    await open.closeAll();
    await slapd.stop();
  });

  async function signIn(uid: string, password: string, at = directory): Promise<SignInResult> {
    const signedIn = await (await at.account(`${uid}@example.test`)).signIn(password);
    if (signedIn === undefined) throw new Error(`${uid} was refused`);
    return signedIn;
  }

  async function isGood({ person, passwordMark }: SignInResult, at = directory): Promise<boolean> {
    const now = at.people.withUsername(person.username);
    return now !== undefined && at.hasPasswordOf(now, { mark: passwordMark, at: Date.now() });
  }

  it('ends sessions of the old password, and none of the new one', async () => {
    const before = await signIn('p1', 'password of p1');
    const other = await signIn('p2', 'password of p2');
    expect(await isGood(before)).toBe(true);
    await setDirectoryPassword(slapd.url, 'p1', 'first change');
    const after = await signIn('p1', 'first change');
    expect(await isGood(after)).toBe(true);
    await eventually('the first token to end', async () => !(await isGood(before)));
    expect([await isGood(after), await isGood(other)]).toEqual([true, true]);
    await setDirectoryPassword(slapd.url, 'p1', 'second change');
    await eventually('the second token to end', async () => !(await isGood(after)));
    expect(await isGood(await signIn('p1', 'second change'))).toBe(true);
  });

  it('ends no session at a replica that has not read the change', async () => {
    const env = { ...settingsFor(slapd.url), DIRECTORY_REFRESH_SECONDS: '3600' };
    const { directory: slow } = await open.open(env);
    await setDirectoryPassword(slapd.url, 'p3', 'changed');
    expect(await isGood(await signIn('p3', 'changed'), slow)).toBe(true);
  });

  it('is detected for an active person without a complete reading, and so is the removal of the person', async () => {
    const env = { DIRECTORY_REFRESH_SECONDS: '1', DIRECTORY_FULL_REFRESH_SECONDS: '3600' };
    const { directory: other } = await open.open({ ...settingsFor(slapd.url), ...env });
    const [left, stayed] = [await signIn('p4', 'password of p4', other), await signIn('p5', 'password of p5', other)];
    await asAdmin(slapd.url, (admin) => admin.del(`uid=p4,${PEOPLE_DN}`));
    await eventually('both people to be removed', async () => {
      for (const { person } of [left, stayed]) other.isInUse(person);
      return !(await isGood(left, other));
    });
    expect(await isGood(stayed, other)).toBe(true);
    expect(other.people.size).toBe(19);
  });
});
