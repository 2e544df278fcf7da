import { startsWith } from './bytes.js';
import { exifOrientation, orientationOnly } from './exif-orientation.js';

export const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);

const START = Buffer.from([0xff, 0xd8]);
const END = Buffer.from([0xff, 0xd9]);
const EMPTY = Buffer.alloc(0);
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP14 = 0xee;

const EXIF = Buffer.from('Exif\0\0', 'latin1');
const JFIF = Buffer.from('JFIF\0', 'latin1');
const ADOBE = Buffer.from('Adobe', 'latin1');
/** Version, density and an empty thumbnail: the original one may show what was removed from the picture. */
const JFIF_BYTES = 14;

interface Segment {
  readonly marker: number;
  readonly content: Buffer;
  /** With its marker and length, and with the compressed picture after it if it begins a scan. */
  readonly whole: Buffer;
  /** The start of the next segment. */
  readonly next: number;
}

/**
 * The same picture without its metadata: of the application segments only those that decoders need are kept, and of
 * Exif only the orientation; no comments, no thumbnail, nothing after the end. Undefined for data without a picture.
 * Reads the bytes once.
 */
export function strippedJpeg(bytes: Buffer): Buffer | undefined {
  const picture: Buffer[] = [];
  let jfif: Buffer | undefined;
  let orientation: number | undefined;
  let hasScan = false;
  for (const { marker, content, whole } of segmentsOf(bytes)) {
    if (isPicture(marker, content)) picture.push(whole);
    else if (marker === APP0) jfif ??= withoutThumbnail(content);
    else if (marker === APP1) orientation ??= orientationIn(content);
    hasScan ||= marker === START_OF_SCAN;
  }
  if (!hasScan) return undefined;
  const exif = orientation === undefined ? [] : [asSegment(APP1, Buffer.concat([EXIF, orientationOnly(orientation)]))];
  const first = jfif === undefined ? [] : [asSegment(APP0, jfif)];
  return Buffer.concat([START, ...first, ...exif, ...picture, END]);
}

/** Up to the end of the picture, or to its last byte if it is truncated. */
function* segmentsOf(bytes: Buffer): Generator<Segment> {
  let segment = segmentAt(bytes, START.length);
  while (segment !== undefined && segment.marker !== END_OF_IMAGE) {
    yield segment;
    segment = segmentAt(bytes, segment.next);
  }
}

/** The next segment at or after `from`; bytes between segments have no meaning and are skipped. */
function segmentAt(bytes: Buffer, from: number): Segment | undefined {
  let at = bytes.indexOf(0xff, from);
  if (at === -1) return undefined;
  while (bytes[at] === 0xff) at++;
  const marker = bytes[at];
  if (marker === undefined) return undefined;
  const start = at + 1;
  if (marker === END_OF_IMAGE || hasNoLength(marker)) return { marker, content: EMPTY, whole: EMPTY, next: start };
  if (start + 2 > bytes.length) return undefined;
  const end = start + bytes.readUInt16BE(start);
  if (end < start + 2 || end > bytes.length) return undefined;
  const next = marker === START_OF_SCAN ? endOfScan(bytes, end) : end;
  return { marker, content: bytes.subarray(start + 2, end), whole: bytes.subarray(start - 2, next), next };
}

/** The end of the compressed picture: a marker that is neither an escaped byte nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) return bytes.length;
    if (next !== 0x00 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

/** Restarts, the start of another image, and reserved markers: they have no length. */
function hasNoLength(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/** Frames, tables, scans and similar segments, and the colour information for Adobe's decoders. */
function isPicture(marker: number, content: Buffer): boolean {
  if (marker === APP14) return startsWith(content, ADOBE);
  return marker >= 0xc0 && marker <= 0xdf && !hasNoLength(marker);
}

function orientationIn(exif: Buffer): number | undefined {
  return startsWith(exif, EXIF) ? exifOrientation(exif.subarray(EXIF.length)) : undefined;
}

function withoutThumbnail(jfif: Buffer): Buffer | undefined {
  if (!startsWith(jfif, JFIF) || jfif.length < JFIF_BYTES) return undefined;
  const content = Buffer.from(jfif.subarray(0, JFIF_BYTES));
  content.writeUInt16BE(0, JFIF_BYTES - 2);
  return content;
}

function asSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}
