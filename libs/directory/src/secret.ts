import { hash } from 'node:crypto';
import type { PersonEntry } from './person.js';

/** What a sign-in of a person is checked against. */
export interface Secret {
  /** Undefined for a person who cannot sign in. */
  readonly hash: string | undefined;
  /**
   * Identifies the password without revealing it: tokens of another mark are invalid. Different for each password, also
   * when the same one is set again, because hashes are salted, and after each time that an administrator has ended the
   * sessions.
   */
  readonly mark: string | undefined;
}

const MARK_LENGTH = 22;
const NONE: Secret = { hash: undefined, mark: undefined };

export function secretOf({ passwordHash, blocked, signOuts = 0 }: PersonEntry): Secret {
  if (passwordHash === undefined || blocked) return NONE;
  const marked = signOuts === 0 ? passwordHash : `${passwordHash} ${signOuts}`;
  return { hash: passwordHash, mark: hash('sha256', marked, 'base64url').slice(0, MARK_LENGTH) };
}
