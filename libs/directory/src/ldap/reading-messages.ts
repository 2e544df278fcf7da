import { reasonOf } from '@ringdown/errors';
import { DirectoryUnavailable } from '../people.js';
import type { LdapAccess } from './ldap-access.js';
import type { Change, Reading } from './ldap-changes.js';
import { DirectoryRefuses } from './ldap-failure.js';

/** What the reading thread is started with. */
export interface ThreadData {
  readonly access: LdapAccess;
  readonly fullRefreshMs: number;
}

/** What the thread is told. One reading goes on at a time, and waits with each change until it is asked for more. */
export type ToThread =
  | { readonly kind: 'read'; readonly calm: boolean }
  | { readonly kind: 'more' }
  /** These are known from elsewhere. */
  | { readonly kind: 'know'; readonly ids: readonly string[] };

/** What the thread tells: any number of changes, then how the reading has ended. */
export type FromThread =
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'done'; readonly reading: Reading }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** An error as it goes from one thread to another, where classes do not. */
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
