import { hash } from 'node:crypto';

/** SHA-256, hexadecimal: all that is ever stored or sent of a token. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}
