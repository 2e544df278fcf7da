import { createHash } from 'node:crypto';

/** SHA-256, hexadecimal: all that is ever stored or sent of a token. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}
