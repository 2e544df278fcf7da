import { SMALL_JPEG, SMALL_PNG } from '@ringdown/testing/small-photos';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { Writable } from 'node:stream';
import type { Person } from '../people/person.js';
import { MAX_PHOTO_BYTES } from '../photos/photo.js';
import { PhotoFiles } from './photo-files.js';

describe('photos beside the people file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-photos-'));
  let log = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done): void {
      log += chunk.toString();
      done();
    },
  });
  const photos = new PhotoFiles(join(folder, 'people.json'), pino(sink));
  const of = (user: string): ReturnType<PhotoFiles['of']> => photos.of(person(user));

  afterAll(() => rmSync(folder, { recursive: true }));

  it('are undefined without the folder', async () => {
    expect(await of('ann')).toBeUndefined();
  });

  it('are recognised as JPEG or PNG by their content, regardless of the file extension', async () => {
    mkdirSync(join(folder, 'photos'));
    writeFileSync(join(folder, 'photos', 'ann@x.test.jpg'), SMALL_JPEG);
    writeFileSync(join(folder, 'photos', 'bea@x.test.jpeg'), SMALL_PNG);
    writeFileSync(join(folder, 'photos', 'cid@x.test.png'), SMALL_PNG);
    expect(await of('ann')).toEqual({ contentType: 'image/jpeg', bytes: SMALL_JPEG });
    expect(await of('bea')).toEqual({ contentType: 'image/png', bytes: SMALL_PNG });
    expect(await of('cid')).toEqual({ contentType: 'image/png', bytes: SMALL_PNG });
    expect(await of('dan')).toBeUndefined();
    expect(log).toBe('');
  });

  it('may be as large as the limit', async () => {
    writeFileSync(join(folder, 'photos', 'max@x.test.jpg'), Buffer.concat([SMALL_JPEG], MAX_PHOTO_BYTES));
    expect((await of('max'))?.bytes).toEqual(SMALL_JPEG);
  });

  it.each([
    ['large', Buffer.concat([SMALL_JPEG], MAX_PHOTO_BYTES + 1)],
    ['page', Buffer.from('<svg onload="alert(1)"/>')],
    ['empty', Buffer.alloc(0)],
    ['no-picture', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['cut-off', SMALL_PNG.subarray(0, 60)],
  ])('are not shown in any other format, and are logged once: %s', async (user, bytes) => {
    writeFileSync(join(folder, 'photos', `${user}@x.test.png`), bytes);
    expect(await of(user)).toBeUndefined();
    expect(await of(user)).toBeUndefined();
    expect(log.split(`${user}@x.test.png`)).toHaveLength(2);
  });
});

function person(user: string): Person {
  const username = `${user}@x.test`;
  return { username, name: user, sipAddress: `sip:${username}`, phones: {}, roles: ['user'], contacts: [] };
}
