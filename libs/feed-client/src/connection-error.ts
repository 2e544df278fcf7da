import { nodeErrorCode, errorReason } from '@ringdown/errors';

/** The other side, or something between, has closed the connection. */
export function isConnectionLoss(error: unknown): boolean {
  return nodeErrorCode(error) === 'ECONNRESET' || nodeErrorCode(error) === 'EPIPE';
}

/** A readable reason. A host name with several addresses fails with several errors, under the code of the first. */
export function connectionReason(error: unknown): string {
  switch (nodeErrorCode(error)) {
    case 'ECONNREFUSED':
      return 'connection refused';
    case 'ECONNRESET':
      return 'the connection was closed';
    case 'ENOTFOUND':
      return 'host not found';
    default:
      return errorReason(error);
  }
}
