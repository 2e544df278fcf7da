import { DatabaseError } from 'pg';

/**
 * Whether `error` comes from the data to be written (a value the database cannot hold, a limit) and not from the state
 * of the database: retrying would not help.
 */
export function isDataError(error: unknown): boolean {
  return error instanceof DatabaseError && /^(?:22|23|54)/.test(error.code ?? '');
}

/** Whether a query was cancelled because it took too long. */
export function isTooSlow(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '57014';
}
