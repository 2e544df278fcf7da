import { crc32 } from 'node:zlib';
import { exifOrientation, orientationOnly } from './exif-orientation.js';

export const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** What decoders need: the picture, its colours, its size and its frames if animated. No texts, times or places. */
const KEPT_CHUNKS = new Set('IHDR PLTE IDAT tRNS gAMA cHRM sRGB cICP sBIT bKGD pHYs acTL fcTL fdAT'.split(' '));
const DATA = 'IDAT';
const END = 'IEND';
const EXIF = 'eXIf';
/** Length, type and checksum around the data of a chunk. */
const FRAME = 12;

/**
 * The same picture without its metadata; of Exif only the orientation is kept, and nothing after the end. Undefined for
 * data that is not a complete PNG. Reads the bytes once.
 */
export function strippedPng(bytes: Buffer): Buffer | undefined {
  const kept: Buffer[] = [];
  const data: Buffer[] = [];
  let orientation: number | undefined;
  let at = PNG_START.length;
  for (;;) {
    if (at + FRAME > bytes.length) return undefined;
    const length = bytes.readUInt32BE(at);
    const next = at + FRAME + length;
    if (next > bytes.length) return undefined;
    const type = bytes.toString('latin1', at + 4, at + 8);
    const chunk = bytes.subarray(at, next);
    at = next;
    if (type === EXIF) orientation ??= exifOrientation(chunk.subarray(8, -4));
    // Some chunks are only valid before the picture, some frames only after its beginning.
    if (KEPT_CHUNKS.has(type)) (type === DATA || data.length > 0 ? data : kept).push(chunk);
    if (type !== END) continue;
    if (data.length === 0) return undefined;
    const exif = orientation === undefined ? [] : [asChunk(EXIF, orientationOnly(orientation))];
    return Buffer.concat([PNG_START, ...kept, ...exif, ...data, asChunk(END, Buffer.alloc(0))]);
  }
}

function asChunk(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
