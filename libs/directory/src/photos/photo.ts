import { startsWith } from './bytes.js';
import { JPEG_START, strippedJpeg } from './strip-jpeg.js';
import { PNG_START, strippedPng } from './strip-png.js';

/** A picture of a person. Only formats that {@link photoIn} accepts are ever sent to a browser. */
export interface Photo {
  readonly contentType: 'image/jpeg' | 'image/png';
  readonly bytes: Buffer;
}

/** Directories contain thumbnails of up to 100 KB; original camera photos are not shown. */
export const MAX_PHOTO_BYTES = 256 * 1024;

/**
 * The photo in these bytes, without metadata about where, when and with what it was taken; undefined if they are too
 * many or not a JPEG or PNG.
 */
export function photoIn(bytes: Buffer): Photo | undefined {
  if (bytes.length > MAX_PHOTO_BYTES) return undefined;
  if (startsWith(bytes, JPEG_START)) return photoWithType('image/jpeg', strippedJpeg(bytes));
  if (startsWith(bytes, PNG_START)) return photoWithType('image/png', strippedPng(bytes));
  return undefined;
}

function photoWithType(contentType: Photo['contentType'], bytes: Buffer | undefined): Photo | undefined {
  return bytes && { contentType, bytes };
}
