/** A copy to be kept: a part of a chunk of the file would keep all of it in memory. */
export function detached(bytes: Buffer): Buffer {
  return Buffer.from(bytes);
}
