import { errorReason } from '@ringdown/errors';
import { DirectoryUnavailable } from '../people/directory.js';
import type { LdapAccess } from './ldap-access.js';
import type { Change, ReadingResult } from './ldap-changes.js';
import { DirectoryRequestRejected } from './ldap-failure.js';

/** The start data of the reading thread. */
export interface ThreadData {
  readonly access: LdapAccess;
  readonly fullRefreshMs: number;
}

/**
 * Messages to the thread. Only one reading runs at a time, and after each change it waits for the request to continue.
 */
export type ToThread =
  | { readonly kind: 'read'; readonly throttled: boolean }
  | { readonly kind: 'continue' }
  /** These ids are known from another source. */
  | { readonly kind: 'known'; readonly ids: readonly string[] };

/** Messages from the thread: any number of changes, then the result of the reading. */
export type FromThread =
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'done'; readonly reading: ReadingResult }
  | { readonly kind: 'failed'; readonly failure: ThreadFailure };

/** An error as it is passed between threads, which cannot pass classes. */
export interface ThreadFailure {
  readonly kind: 'unavailable' | 'rejected' | 'other';
  readonly message: string;
}

export function threadFailure(error: unknown): ThreadFailure {
  const message = errorReason(error);
  if (error instanceof DirectoryRequestRejected) return { kind: 'rejected', message };
  return { kind: error instanceof DirectoryUnavailable ? 'unavailable' : 'other', message };
}

export function threadError({ kind, message }: ThreadFailure): Error {
  if (kind === 'rejected') return new DirectoryRequestRejected(message);
  return kind === 'unavailable' ? new DirectoryUnavailable(message) : new Error(message);
}
