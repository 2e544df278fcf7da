import { reasonOf } from '@ringdown/errors';
import { DirectoryUnavailable } from '../people.js';
import type { LdapAccess } from './ldap-access.js';
import type { Change, Reading } from './ldap-changes.js';
import { DirectoryRefuses } from './ldap-failure.js';

/** The start data of the reading thread. */
export interface ThreadData {
  readonly access: LdapAccess;
  readonly fullRefreshMs: number;
}

/**
 * Messages to the thread. Only one reading runs at a time, and after each change it waits for the request to continue.
 */
export type ToThread =
  | { readonly kind: 'read'; readonly calm: boolean }
  | { readonly kind: 'more' }
  /** These ids are known from another source. */
  | { readonly kind: 'know'; readonly ids: readonly string[] };

/** Messages from the thread: any number of changes, then the result of the reading. */
export type FromThread =
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'done'; readonly reading: Reading }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** An error as it is passed between threads, which cannot pass classes. */
export interface Failure {
  readonly kind: 'unavailable' | 'refuses' | 'other';
  readonly message: string;
}

export function failureOf(error: unknown): Failure {
  const message = reasonOf(error);
  if (error instanceof DirectoryRefuses) return { kind: 'refuses', message };
  return { kind: error instanceof DirectoryUnavailable ? 'unavailable' : 'other', message };
}

export function errorOf({ kind, message }: Failure): Error {
  if (kind === 'refuses') return new DirectoryRefuses(message);
  return kind === 'unavailable' ? new DirectoryUnavailable(message) : new Error(message);
}
