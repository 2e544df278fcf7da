import { DatabaseError } from 'pg';
import { DamagedPartitions } from './damaged-partitions.js';

describe('partitions whose records meet a damaged file', () => {
  const damage = (message: string): Promise<never> => {
    const error = new DatabaseError(message, message.length, 'error');
    // data_corrupted
    error.code = 'XX001';
    return Promise.reject(error);
  };
  let damaged: DamagedPartitions;
  beforeEach(() => {
    damaged = new DamagedPartitions();
  });

  it('are counted with the reason, in whichever step they meet it', async () => {
    await expect(damaged.note(0, 'load position', damage('invalid page'))).rejects.toThrow('invalid page');
    await expect(damaged.note(0, 'store', damage('another page'))).rejects.toThrow('another page');
    await expect(damaged.note(3, 'before reading', damage('invalid page'))).rejects.toThrow('invalid page');
    expect(() => damaged.assertNone()).toThrow('records of 2 partitions cannot be stored: invalid page');
  });

  it('are none when the step works, and not by another step', async () => {
    await damaged.note(0, 'store', damage('invalid page')).catch(() => undefined);
    expect(await damaged.note(0, 'load position', Promise.resolve('a position'))).toBe('a position');
    expect(() => damaged.assertNone()).toThrow('records of 1 partition cannot be stored: invalid page');
    await damaged.note(0, 'store', Promise.resolve());
    expect(() => damaged.assertNone()).not.toThrow();
  });

  it('are none for other errors, and when this replica reads them no more', async () => {
    await damaged.note(0, 'store', Promise.reject(new Error('no connection'))).catch(() => undefined);
    expect(() => damaged.assertNone()).not.toThrow();
    await damaged.note(1, 'store', damage('invalid page')).catch(() => undefined);
    damaged.end(1);
    expect(() => damaged.assertNone()).not.toThrow();
  });
});
