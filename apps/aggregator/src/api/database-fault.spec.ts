import { DatabaseError } from 'pg';
import { queryErrors } from '../errors.js';
import { DatabaseUnavailable } from '../store/database.js';
import { fromDatabase } from './database-fault.js';

describe('failures of the database', () => {
  it('are reported as too much when the statement exceeded its time', async () => {
    const cancelled = new DatabaseError('canceling statement due to statement timeout', 0, 'error');
    cancelled.code = '57014';
    await expect(fromDatabase(Promise.reject(cancelled))).rejects.toMatchObject({ row: queryErrors.tooMuch });
  });

  it('are 503 when it does not respond, and all others stay as they are', async () => {
    const lost = new DatabaseUnavailable('gone');
    await expect(fromDatabase(Promise.reject(lost))).rejects.toMatchObject({ kind: 'unavailable' });
    const other = new Error('a fault of ours');
    await expect(fromDatabase(Promise.reject(other))).rejects.toBe(other);
  });
});
