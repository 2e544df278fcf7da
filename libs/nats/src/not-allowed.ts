import { PermissionViolationError, RequestError } from '@nats-io/transport-node';

/** Whether a request failed because the user of the connection is not permitted to make it. */
export function isNotAllowed(error: unknown): boolean {
  if (error instanceof PermissionViolationError) return true;
  return error instanceof RequestError && error.cause instanceof PermissionViolationError;
}
