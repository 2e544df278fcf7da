import { isNativeError } from 'node:util/types';

/** The message of an error, without its class and stack; also of what is thrown and is not an error. */
export function errorReason(error: unknown): string {
  // `instanceof` is not enough: an error of another realm (a worker, `node:vm`) is of another class.
  if (!isNativeError(error)) return String(error);
  // Node has tried several addresses of one name: each has its own reason, and all together have no message.
  if (error.message === '' && 'errors' in error && Array.isArray(error.errors))
    return error.errors.map(errorReason).join('; ');
  // What has happened to a request is only in the cause.
  if (error.message === 'fetch failed' && error.cause !== undefined) return `fetch failed: ${errorReason(error.cause)}`;
  return error.message;
}
