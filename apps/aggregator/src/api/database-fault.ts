import { Fault, InterfaceError } from '@ringdown/web-server';
import { TimeLimitExceeded } from '@ringdown/time-limit';
import { queryErrors } from '../errors.js';
import { isDamage } from '../store/damaged-files.js';
import { DatabaseUnavailable, isTooSlow } from '../store/database.js';

const FILE_IS_DAMAGED = 'A file of the database is damaged, and a part of the calls cannot be read.';

/** An unreachable database is not an error of the client or of this program: 503, the client may retry. */
export async function fromDatabase<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (isTooSlow(error)) throw new InterfaceError(queryErrors.tooMuch, { cause: error });
    if (error instanceof TimeLimitExceeded) throw new InterfaceError(queryErrors.tooSlow, { cause: error });
    if (isDamage(error)) throw new Fault('unavailable', { message: FILE_IS_DAMAGED, cause: error });
    if (!(error instanceof DatabaseUnavailable)) throw error;
    throw new Fault('unavailable', {
      message: 'The database does not respond.',
      headers: { 'retry-after': '2' },
      cause: error,
    });
  }
}
