import { hash } from 'node:crypto';

/** SHA-256, hexadecimal: the only form in which a token is stored or sent. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}
