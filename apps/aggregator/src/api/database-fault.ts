import { Fault, InterfaceError } from '@ringdown/web-server';
import { TookTooLong } from '@ringdown/time-limit';
import { queryErrors } from '../errors.js';
import { DatabaseUnavailable, isTooSlow } from '../store/database.js';

/** A database that is away is no fault of the client nor of this program: 503, try again. */
export async function fromDatabase<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (isTooSlow(error)) throw new InterfaceError(queryErrors.tooMuch, { cause: error });
    if (error instanceof TookTooLong) throw new InterfaceError(queryErrors.tooSlow, { cause: error });
    if (!(error instanceof DatabaseUnavailable)) throw error;
    throw new Fault('unavailable', {
      message: 'The database does not answer.',
      headers: { 'retry-after': '2' },
      cause: error,
    });
  }
}
