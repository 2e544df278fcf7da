import { createHash } from 'node:crypto';
import type { StoredMessage } from './call-message.js';

const CHUNK_BYTES = 16;

/** Of everything that identifies one capture of one packet, hexadecimal. */
export function messageDigest(message: StoredMessage): string {
  const { frontEnd, point, at, source, destination, content, payload } = message;
  const bytes = payload.toString('base64');
  const identity = [frontEnd, point, at, source.ip, source.port, destination.ip, destination.port, content, bytes];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex');
}

/** The same for the same messages in any order. */
export function chunkDigest(digests: readonly string[]): Buffer {
  return createHash('sha256').update(digests.toSorted().join()).digest().subarray(0, CHUNK_BYTES);
}
