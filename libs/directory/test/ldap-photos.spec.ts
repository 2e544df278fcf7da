import { PEOPLE_DN, staff, startSlapd, type TestDirectory } from '@ringdown/testing';
import { Attribute, Change } from 'ldapts';
import type { Directory, Person } from '../src/index.js';
import { asAdmin, OpenDirectories, settingsFor } from './ldap-under-test.js';

const JPEG = Buffer.from('ffd8ffe000104a46494600fffe', 'hex');
const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');

describe('photos in an LDAP directory', () => {
  const open = new OpenDirectories();
  let slapd: TestDirectory;
  let directory: Directory;

  beforeAll(async () => {
    slapd = await startSlapd({ entries: staff(20) });
    await setPhoto('p1', [JPEG]);
    await setPhoto('p2', [Buffer.from('<html>'), PNG]);
    await setPhoto('p3', [Buffer.concat([JPEG], 300 * 1024)]);
    ({ directory } = await open.open(settingsFor(slapd.url)));
  });
  afterAll(async () => {
    await open.closeAll();
    await slapd.stop();
  });

  const setPhoto = (uid: string, values: Buffer[]): Promise<void> =>
    asAdmin(slapd.url, async (admin) => {
      const modification = new Attribute({ type: 'jpegPhoto', values });
      await admin.modify(`uid=${uid},${PEOPLE_DN}`, new Change({ operation: 'replace', modification }));
    });
  const personOf = (user: string, { people }: Directory = directory): Person => {
    const person = people.withUsername(`${user}@example.test`);
    if (person === undefined) throw new Error(`there is no ${user}`);
    return person;
  };

  it('are read when somebody wants to see them', async () => {
    expect(await directory.photoOf(personOf('p1'))).toEqual({ contentType: 'image/jpeg', bytes: JPEG });
    expect(await directory.photoOf(personOf('p4'))).toBeUndefined();
  });

  it('are shown only if they are photos, and none too large', async () => {
    expect(await directory.photoOf(personOf('p2'))).toEqual({ contentType: 'image/png', bytes: PNG });
    expect(await directory.photoOf(personOf('p3'))).toBeUndefined();
  });

  it('are those of the attribute that the settings name', async () => {
    const other = await open.open({ ...settingsFor(slapd.url), DIRECTORY_ATTRIBUTES: 'photo=userCertificate' });
    expect(await other.directory.photoOf(personOf('p1', other.directory))).toBeUndefined();
  });

  it('of a directory that is down are known if they were read, and fail until it is back otherwise', async () => {
    await directory.photoOf(personOf('p1'));
    await slapd.kill();
    expect(await directory.photoOf(personOf('p1'))).toMatchObject({ bytes: JPEG });
    await expect(directory.photoOf(personOf('p5'))).rejects.toMatchObject({ name: 'DirectoryUnavailable' });
    await slapd.restart();
    expect(await directory.photoOf(personOf('p5'))).toBeUndefined();
  });
});
