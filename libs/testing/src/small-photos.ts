import { crc32 } from 'node:zlib';

const START_BYTES = 2;
const PNG_HEAD_BYTES = 33;

/** A picture of three by two pixels, without any metadata. */
export const SMALL_JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI/////////////////////////////////////////' +
    '///////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCA' +
    'ACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAA' +
    'wT/xAAVEQEBAAAAAAAAAAAAAAAAAAAAAf/aAAwDAQACEQMRAD8AkAOrI//Z',
  'base64',
);

export const SMALL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAGElEQVR4AWJiYPj//z+IAGKm/wyMDDAAAAAA//+XbFgYAAAABklEQVQDAH7zBv/x' +
    'WDlDAAAAAElFTkSuQmCC',
  'base64',
);

/** {@link SMALL_JPEG} with segments before the picture: their markers and contents. */
export function jpegWith(...segments: readonly (readonly [marker: number, content: Buffer | string])[]): Buffer {
  const added = segments.map(([marker, content]) => {
    const bytes = Buffer.from(content);
    return Buffer.concat([Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff]), bytes]);
  });
  return Buffer.concat([SMALL_JPEG.subarray(0, START_BYTES), ...added, SMALL_JPEG.subarray(START_BYTES)]);
}

/** {@link SMALL_PNG} with chunks before the picture: their types and contents. */
export function pngWith(...chunks: readonly (readonly [type: string, content: Buffer | string])[]): Buffer {
  const added = chunks.map(([type, content]) => {
    const body = Buffer.concat([Buffer.from(type), Buffer.from(content)]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(body.length - 4);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  });
  return Buffer.concat([SMALL_PNG.subarray(0, PNG_HEAD_BYTES), ...added, SMALL_PNG.subarray(PNG_HEAD_BYTES)]);
}

/** The Exif data of a telephone's picture: its orientation, and its location, here as text. */
export function exifBlock(orientation: number, place: string, order: 'II' | 'MM' = 'II'): Buffer {
  const tiff = Buffer.alloc(38);
  const little = order === 'II';
  const short = (value: number, at: number): number =>
    little ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
  const long = (value: number, at: number): number =>
    little ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at);
  tiff.write(little ? 'II*\0' : 'MM\0*', 'latin1');
  long(8, 4);
  short(2, 8);
  // The location (GPSInfo, here a text), then the orientation.
  [0x8825, 2].forEach((value, at) => short(value, 10 + 2 * at));
  [place.length, 38].forEach((value, at) => long(value, 14 + 4 * at));
  [0x0112, 3].forEach((value, at) => short(value, 22 + 2 * at));
  long(1, 26);
  short(orientation, 30);
  return Buffer.concat([tiff, Buffer.from(place)]);
}
