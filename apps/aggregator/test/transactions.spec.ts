import { jest } from '@jest/globals';
import { startPostgres, type TestDatabase } from '@ringdown/testing/servers/database';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Database } from '../src/store/database/database.js';
import type { Transaction } from '../src/store/database/transaction.js';

// A database starts here, on machines that may have little time for it.
jest.setTimeout(180_000);

describe('a transaction whose statements are not awaited one by one', () => {
  let server: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    server = await startPostgres();
    // One connection for writing: whatever a transaction leaves behind affects the next one.
    database = new Database({ url: server.url, poolSize: 2, logger: quietLogger() });
    await database.write((transaction) => transaction.query('create table notes (number serial, note text not null)'));
  });
  beforeEach(() => database.write((transaction) => transaction.query('truncate notes')));
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  const note = (transaction: Transaction, text: string | null): Promise<unknown> =>
    transaction.query('insert into notes (note) values ($1)', [text]);
  const notes = async (): Promise<readonly unknown[]> => {
    const { rows } = await database.write((transaction) =>
      transaction.query<{ note: string }>('select note from notes order by number'),
    );
    return rows.map((row) => row.note);
  };

  it('runs them in the order in which they were started, and ends after all of them', async () => {
    await database.write((transaction) => {
      for (const text of ['a', 'b', 'c']) void note(transaction, text);
      return Promise.resolve();
    });
    expect(await notes()).toEqual(['a', 'b', 'c']);
  });

  it('fails as a whole with the first failure, also when that statement was not awaited', async () => {
    const answers: Promise<unknown>[] = [];
    const written = database.write((transaction) => {
      answers.push(note(transaction, 'a'), note(transaction, null), note(transaction, 'b'));
      for (const answer of answers) answer.catch(() => undefined);
      return Promise.resolve();
    });
    await expect(written).rejects.toMatchObject({ code: '23502' });
    expect(await Promise.allSettled(answers)).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: '23502' } },
      { status: 'rejected', reason: { code: '23502' } },
    ]);
    expect(await notes()).toEqual([]);
  });

  it('does not run a statement that is started after its end', async () => {
    let late: Transaction | undefined;
    await database.write((transaction) => {
      late = transaction;
      return note(transaction, 'in time');
    });
    const failed = database.write((transaction) => {
      void note(transaction, 'with it');
      return Promise.reject(new Error('thrown by the work'));
    });
    await expect(failed).rejects.toThrow('thrown by the work');
    await expect(late && note(late, 'late')).rejects.toThrow('the transaction has ended');
    expect(await notes()).toEqual(['in time']);
  });
});
