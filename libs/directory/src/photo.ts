import { JPEG_START, strippedJpeg } from './strip-jpeg.js';
import { PNG_START, strippedPng } from './strip-png.js';

/** A picture of a person. Nothing else than what {@link photoIn} knows is ever shown to a browser. */
export interface Photo {
  readonly contentType: 'image/jpeg' | 'image/png';
  readonly bytes: Buffer;
}

/** Directories hold thumbnails of up to 100 KB; photos as they come from a camera are not shown. */
export const MAX_PHOTO_BYTES = 256 * 1024;

/**
 * The photo that these bytes are, without what they tell of where, when and with what it was taken; undefined when they
 * are too many or no JPEG or PNG.
 */
export function photoIn(bytes: Buffer): Photo | undefined {
  if (bytes.length > MAX_PHOTO_BYTES) return undefined;
  if (startsWith(bytes, JPEG_START)) return photoOf('image/jpeg', strippedJpeg(bytes));
  if (startsWith(bytes, PNG_START)) return photoOf('image/png', strippedPng(bytes));
  return undefined;
}

function photoOf(contentType: Photo['contentType'], bytes: Buffer | undefined): Photo | undefined {
  return bytes && { contentType, bytes };
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start);
}
