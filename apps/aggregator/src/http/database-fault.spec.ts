import { DatabaseError } from 'pg';
import { queryErrors } from '../errors.js';
import { DatabaseUnavailable } from '../store/database/database.js';
import { TooManyCalls } from '../store/statistics/load/too-many-calls.js';
import { fromDatabase } from './database-fault.js';

describe('failures of the database', () => {
  it('are reported as too much when the statement exceeded its time', async () => {
    const cancelled = new DatabaseError('canceling statement due to statement timeout', 0, 'error');
    cancelled.code = '57014';
    await expect(fromDatabase(Promise.reject(cancelled))).rejects.toMatchObject({ row: queryErrors.tooMuch });
  });

  it('are reported as too much with a time that could be answered when too many calls match', async () => {
    const quarter = { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-05-31T00:00:00Z') };
    await expect(fromDatabase(Promise.reject(new TooManyCalls(1_012_345, 100_000, quarter)))).rejects.toMatchObject({
      row: queryErrors.tooMuch,
      message:
        'About 1,000,000 calls match, and with these filters 100,000 can be read in time: request at most 8 days, or add filters.',
    });
  });

  it('are 503 with the reason, and without a time to try again, when a file is damaged', async () => {
    const damaged = new DatabaseError('invalid page in block 5 of relation "base/16385/16925"', 0, 'error');
    damaged.code = 'XX001';
    const answer = fromDatabase(Promise.reject(damaged));
    await expect(answer).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'A file of the database is damaged, and a part of the calls cannot be read.',
    });
    await expect(answer).rejects.not.toHaveProperty('headers.retry-after');
  });

  it('are 503 when it does not respond, and all others stay as they are', async () => {
    const lost = new DatabaseUnavailable('gone');
    await expect(fromDatabase(Promise.reject(lost))).rejects.toMatchObject({ kind: 'unavailable' });
    const other = new Error('a fault of ours');
    await expect(fromDatabase(Promise.reject(other))).rejects.toBe(other);
  });
});
