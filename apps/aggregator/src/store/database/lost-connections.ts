import { isNativeError } from 'node:util/types';
import { DatabaseError } from 'pg';

export function isLostConnection(error: unknown): boolean {
  // Errors that the server itself reports have an SQLSTATE; 08 and 57 mean that it closes the connection, and 26 that
  // it does not know a statement that was prepared there: a proxy in between has switched the server.
  if (error instanceof DatabaseError) return /^(?:08|26|57P)/.test(error.code ?? '');
  if (!isNativeError(error)) return false;
  return (
    'syscall' in error || /connection terminated|read timeout|not queryable|client has encountered/i.test(error.message)
  );
}

/** Of a statement that was prepared before: PgBouncer has switched the server between two transactions. */
export function isForgottenStatement(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '26000';
}

/** A standby, or a primary that has become one behind a proxy; or one that its operator has set to read only. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '25006' || /during recovery/.test(error.message));
}
