import { isNativeError } from 'node:util/types';

/** The code that Node and its libraries give to their errors, such as `ENOENT`. */
export function nodeErrorCode(error: unknown): string | undefined {
  return isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
