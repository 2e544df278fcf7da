import { PEOPLE_DN, staff } from '@ringdown/testing/ldif';
import { startSlapd, type TestDirectory } from '@ringdown/testing/servers/slapd';
import { exifBlock, jpegWith, SMALL_JPEG, SMALL_PNG } from '@ringdown/testing/small-photos';
import { Attribute, Change } from 'ldapts';
import type { Directory, Person } from '../src/index.js';
import { asAdmin, OpenDirectories, settingsFor } from './ldap-under-test.js';

describe('photos in an LDAP directory', () => {
  const open = new OpenDirectories();
  let slapd: TestDirectory;
  let directory: Directory;

  beforeAll(async () => {
    slapd = await startSlapd({ entries: staff(20) });
    await setPhoto('p1', [jpegWith([0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exifBlock(1, 'at home')])])]);
    await setPhoto('p2', [Buffer.from('<html>'), SMALL_PNG]);
    await setPhoto('p3', [Buffer.concat([SMALL_JPEG], 300 * 1024)]);
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

  it('are read on request, without their location data', async () => {
    expect(await directory.photoOf(personOf('p1'))).toEqual({ contentType: 'image/jpeg', bytes: SMALL_JPEG });
    expect(await directory.photoOf(personOf('p4'))).toBeUndefined();
  });

  it('are shown only if they are photos, and not too large', async () => {
    expect(await directory.photoOf(personOf('p2'))).toEqual({ contentType: 'image/png', bytes: SMALL_PNG });
    expect(await directory.photoOf(personOf('p3'))).toBeUndefined();
  });

  it('are read from the attribute in the settings', async () => {
    const other = await open.open({ ...settingsFor(slapd.url), DIRECTORY_ATTRIBUTES: 'photo=userCertificate' });
    expect(await other.directory.photoOf(personOf('p1', other.directory))).toBeUndefined();
  });

  it('are served from the cache while the directory is down, and fail if not cached', async () => {
    await directory.photoOf(personOf('p1'));
    await slapd.kill();
    expect(await directory.photoOf(personOf('p1'))).toMatchObject({ bytes: SMALL_JPEG });
    await expect(directory.photoOf(personOf('p5'))).rejects.toMatchObject({ name: 'DirectoryUnavailable' });
    await slapd.restart();
    expect(await directory.photoOf(personOf('p5'))).toBeUndefined();
  });
});
