import { hash } from 'node:crypto';
import type { PersonEntry } from '../people/person.js';

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
  /** Identifies the sessions of a person who signed in elsewhere; undefined for a person who is blocked. */
  readonly sessions: string | undefined;
}

const MARK_LENGTH = 22;

export function personSecret({ passwordHash, blocked, signOuts = 0 }: PersonEntry): Secret {
  const sessions = blocked ? undefined : `${signOuts}`;
  if (passwordHash === undefined || blocked) return { hash: undefined, mark: undefined, sessions };
  const marked = signOuts === 0 ? passwordHash : `${passwordHash} ${signOuts}`;
  return { hash: passwordHash, mark: hash('sha256', marked, 'base64url').slice(0, MARK_LENGTH), sessions };
}

/** The mark of a person's password, as of a token that was issued for it; undefined for a person who cannot sign in. */
export function passwordMark(entry: PersonEntry): string | undefined {
  return personSecret(entry).mark;
}

/** The same person after an administrator has ended all sessions. */
export function withSessionsEnded(entry: PersonEntry): PersonEntry {
  return { ...entry, signOuts: (entry.signOuts ?? 0) + 1 };
}

/** The same person with a password that another one has set: the sessions of a sign-in elsewhere end, too. */
export function withNewPassword(entry: PersonEntry, passwordHash: string): PersonEntry {
  return withSessionsEnded({ ...entry, passwordHash });
}
