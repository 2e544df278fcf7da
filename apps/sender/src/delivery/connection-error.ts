import { isNativeError } from 'node:util/types';

/** The other side, or something between, has closed the connection. */
export function isConnectionLoss(error: unknown): boolean {
  return codeOf(error) === 'ECONNRESET' || codeOf(error) === 'EPIPE';
}

/** A readable reason. A host name with several addresses fails with an error that has no message of its own. */
export function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return 'connection refused';
    case 'ECONNRESET':
      return 'the connection was closed';
    case 'ENOTFOUND':
      return 'host not found';
    default:
      return isNativeError(error) ? error.message : String(error);
  }
}

/** The error code of Node. */
export function codeOf(error: unknown): string | undefined {
  return isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
