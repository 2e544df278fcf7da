import { Fault, InterfaceError } from '@ringdown/web-server/errors';
import { TimeLimitExceeded } from '@ringdown/time-limit';
import { queryErrors } from '../errors.js';
import { isDamage } from '../store/database/damaged-files.js';
import { DatabaseUnavailable, isBusy } from '../store/database/database.js';
import { TooManyLongReads } from '../store/database/long-reads.js';
import { isTooSlow } from '../store/database/query-errors.js';
import { TooManyCalls } from '../store/statistics/load/too-many-calls.js';

const FILE_IS_DAMAGED = 'A file of the database is damaged, and a part of the calls cannot be read.';

const CONNECTIONS_ARE_USED =
  'Other queries use all connections to the database (DATABASE_POOL_SIZE); try again shortly.';

/** An unreachable database is not an error of the client or of this program: 503, the client may retry. */
export async function fromDatabase<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (isTooSlow(error)) throw new InterfaceError(queryErrors.tooMuch, { cause: error });
    if (error instanceof TooManyCalls)
      throw new InterfaceError(queryErrors.tooMuch, { message: error.message, cause: error });
    if (error instanceof TimeLimitExceeded) throw new InterfaceError(queryErrors.tooSlow, { cause: error });
    if (error instanceof TooManyLongReads)
      throw new InterfaceError(queryErrors.tooManyLongQueriesOfUser, { headers: { 'retry-after': '5' }, cause: error });
    if (isDamage(error)) throw new Fault('unavailable', { message: FILE_IS_DAMAGED, cause: error });
    if (!(error instanceof DatabaseUnavailable)) throw error;
    throw new Fault('unavailable', {
      message: isBusy(error) ? CONNECTIONS_ARE_USED : 'The database does not respond.',
      headers: { 'retry-after': '2' },
      cause: error,
    });
  }
}
