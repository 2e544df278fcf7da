/** A picture of a person. Nothing else than what {@link photoIn} knows is ever shown to a browser. */
export interface Photo {
  readonly contentType: 'image/jpeg' | 'image/png';
  readonly bytes: Buffer;
}

/** Directories hold thumbnails of up to 100 KB; photos as they come from a camera are not shown. */
export const MAX_PHOTO_BYTES = 256 * 1024;

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The photo that these bytes are; undefined when they are too many or no JPEG or PNG. */
export function photoIn(bytes: Buffer): Photo | undefined {
  if (bytes.length > MAX_PHOTO_BYTES) return undefined;
  if (bytes.subarray(0, JPEG.length).equals(JPEG)) return { contentType: 'image/jpeg', bytes };
  if (bytes.subarray(0, PNG.length).equals(PNG)) return { contentType: 'image/png', bytes };
  return undefined;
}
