import { exifBlock, jpegWith, pngWith, SMALL_JPEG, SMALL_PNG } from '@ringdown/testing/small-photos';
import { exifOrientation } from './exif-orientation.js';
import { MAX_PHOTO_BYTES, photoIn } from './photo.js';

const EXIF = Buffer.from('Exif\0\0');
const SECRET = 'taken at home, 52.5 N 13.4 E';

function exif(orientation: number, order?: 'II' | 'MM'): Buffer {
  return Buffer.concat([EXIF, exifBlock(orientation, SECRET, order)]);
}

/** The Exif blocks that are left in a converted JPEG. */
function exifOf(jpeg: Buffer | undefined): Buffer[] {
  const at = jpeg?.indexOf(EXIF) ?? -1;
  if (jpeg === undefined || at === -1) return [];
  const end = at - 2 + jpeg.readUInt16BE(at - 2);
  return [jpeg.subarray(at + EXIF.length, end), ...exifOf(jpeg.subarray(end))];
}

describe('a JPEG photo', () => {
  it('is not changed when it contains only a picture', () => {
    expect(photoIn(SMALL_JPEG)).toEqual({ contentType: 'image/jpeg', bytes: SMALL_JPEG });
  });

  it.each([
    ['Exif', jpegWith([0xe1, exif(1)])],
    ['XMP', jpegWith([0xe1, `http://ns.adobe.com/xap/1.0/\0${SECRET}`])],
    ['IPTC', jpegWith([0xed, `Photoshop 3.0\0${SECRET}`])],
    ['a profile', jpegWith([0xe2, `ICC_PROFILE\0${SECRET}`])],
    ['a comment', jpegWith([0xfe, SECRET])],
    ['a comment after fill bytes', jpegWith([0xfe, 'x'], [0xff, '']).fill(0xff, 7, 11)],
    ['a thumbnail as an extension of JFIF', jpegWith([0xe0, `JFXX\0${SECRET}`])],
    ['a thumbnail in JFIF', jpegWith([0xe0, Buffer.from(`JFIF\0\x01\x01\0\0\x01\0\x01\x09\x01${SECRET}`, 'latin1')])],
    ['something after its end', Buffer.concat([SMALL_JPEG, Buffer.from(SECRET)])],
    ['another picture after its end', Buffer.concat([SMALL_JPEG, jpegWith([0xe1, exif(3)])])],
  ])('loses %s', (_what, bytes) => {
    expect(photoIn(bytes)?.bytes).toEqual(SMALL_JPEG);
  });

  it.each(['II', 'MM'] as const)('keeps only the orientation of Exif (%s)', (order) => {
    const bytes = photoIn(jpegWith([0xe1, exif(6, order)], [0xe1, exif(3)]))?.bytes;
    expect(bytes?.includes(SECRET)).toBe(false);
    const [left = Buffer.alloc(0), ...more] = exifOf(bytes);
    expect([exifOrientation(left), left.length, more]).toEqual([6, 26, []]);
    expect(photoIn(bytes ?? Buffer.alloc(0))?.bytes).toEqual(bytes);
  });

  it('keeps the colour information that decoders need', () => {
    const adobe = jpegWith([0xee, Buffer.from('Adobe\0\x64\0\0\0\0\x01', 'latin1')]);
    expect(photoIn(adobe)?.bytes.includes('Adobe')).toBe(true);
  });

  it('keeps all of several scans, without the data between them', () => {
    const scan = SMALL_JPEG.subarray(SMALL_JPEG.indexOf(Buffer.from([0xff, 0xda])), -2);
    const end = SMALL_JPEG.subarray(-2);
    const start = SMALL_JPEG.subarray(0, -2);
    const comment = Buffer.from('fffe0006', 'hex');
    const between = Buffer.concat([start, comment, Buffer.from('home'), scan, end]);
    expect(photoIn(between)?.bytes).toEqual(Buffer.concat([start, scan, end]));
  });

  it('is shown as far as possible when it is truncated within the picture', () => {
    const cut = SMALL_JPEG.subarray(0, -4);
    expect(photoIn(cut)?.bytes).toEqual(Buffer.concat([cut, SMALL_JPEG.subarray(-2)]));
  });

  it.each([
    ['without a picture', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['with a length of 0', Buffer.from('ffd8ffe00000ffd9', 'hex')],
    ['of fill bytes', Buffer.concat([SMALL_JPEG.subarray(0, 2), Buffer.alloc(1_000, 0xff)])],
  ])('is rejected: %s', (_what, bytes) => {
    expect(photoIn(bytes)).toBeUndefined();
  });
});

describe('a PNG photo', () => {
  it('is not changed when it contains only a picture', () => {
    expect(photoIn(SMALL_PNG)).toEqual({ contentType: 'image/png', bytes: SMALL_PNG });
  });

  it.each(['tEXt', 'zTXt', 'iTXt', 'tIME', 'iCCP', 'prVt'])('loses %s', (type) => {
    expect(photoIn(pngWith([type, SECRET]))?.bytes).toEqual(SMALL_PNG);
  });

  it('loses Exif and what comes after its end', () => {
    expect(photoIn(pngWith(['eXIf', exifBlock(1, SECRET)]))?.bytes).toEqual(SMALL_PNG);
    expect(photoIn(Buffer.concat([SMALL_PNG, Buffer.from(SECRET)]))?.bytes).toEqual(SMALL_PNG);
  });

  it('keeps only the orientation of Exif, and its colours', () => {
    const bytes = photoIn(pngWith(['gAMA', Buffer.from('0000b18f', 'hex')], ['eXIf', exifBlock(8, SECRET)]))?.bytes;
    const left = bytes?.subarray(bytes.indexOf('eXIf') + 4) ?? Buffer.alloc(0);
    expect([exifOrientation(left), bytes?.includes(SECRET), bytes?.includes('gAMA')]).toEqual([8, false, true]);
  });

  it.each([
    ['truncated', SMALL_PNG.subarray(0, -6)],
    ['with a chunk that is longer than the file', Buffer.concat([SMALL_PNG.subarray(0, 8), Buffer.alloc(16, 0xff)])],
    ['without a picture', Buffer.concat([SMALL_PNG.subarray(0, 33), SMALL_PNG.subarray(-12)])],
  ])('is rejected: %s', (_what, bytes) => {
    expect(photoIn(bytes)).toBeUndefined();
  });
});

describe('hostile photos', () => {
  it.each([
    ['empty segments', Buffer.concat([Buffer.from('ffd8', 'hex'), repeated('ffe10002')])],
    ['restarts', Buffer.concat([SMALL_JPEG.subarray(0, -2), repeated('ffd0')])],
    ['fill bytes', Buffer.concat([SMALL_JPEG.subarray(0, 2), repeated('ff')])],
    ['scans', Buffer.concat([SMALL_JPEG.subarray(0, -2), repeated('ffda0002')])],
    ['empty chunks', Buffer.concat([SMALL_PNG.subarray(0, 33), repeated('000000007445587400000000')])],
    ['Exif blocks', jpegWith(...Array.from({ length: 3_000 }, () => [0xe1, exif(9)] as const))],
  ])('full of %s are processed in little time', (_what, bytes) => {
    const before = process.threadCpuUsage();
    photoIn(bytes.subarray(0, MAX_PHOTO_BYTES));
    // Of processor time: the machine may be busy.
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });

  it.each([
    ['nothing', ''],
    ['an invalid byte order', '58582a0008000000'],
    ['a directory outside of the data', '49492a00ffffffff'],
    ['more entries than bytes', '49492a0008000000ffff12010300'],
    ['an invalid orientation', exifBlock(9, '').toString('hex')],
  ])('with %s in their Exif are not rotated', (_what, tiff) => {
    expect(exifOrientation(Buffer.from(tiff, 'hex'))).toBeUndefined();
  });
});

function repeated(hex: string): Buffer {
  return Buffer.alloc(MAX_PHOTO_BYTES - 1_000, Buffer.from(hex, 'hex'));
}
