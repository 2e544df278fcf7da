import { Fault } from '@ringdown/http-server';
import { DatabaseUnavailable } from '../store/database.js';

/** A database that is away is no fault of the client nor of this program: 503, try again. */
export async function fromDatabase<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    throw new Fault('unavailable', {
      message: 'The database does not answer.',
      headers: { 'retry-after': '2' },
      cause: error,
    });
  }
}
