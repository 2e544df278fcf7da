import { startPostgres, type TestDatabase } from '@ringdown/testing/servers/database';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Database, DatabaseUnavailable } from '../src/store/database/database.js';
import { prepared } from '../src/store/database/transaction.js';

describe('prepared statements of a connection', () => {
  let server: TestDatabase;
  const databases: Database[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    // Each with one connection for writing.
    for (let n = 0; n < 2; n++) databases.push(new Database({ url: server.url, poolSize: 2, logger: quietLogger() }));
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await server.stop();
  });

  const next = (database: Database | undefined, value: number): Promise<unknown> | undefined =>
    database?.write(async (transaction) => {
      const { rows } = await transaction.query(prepared(transaction, 'select $1::integer + 1 as next', [value]));
      return rows;
    });

  it('are kept by each of several processes, also when these share a session', async () => {
    for (const value of [1, 2]) {
      for (const database of databases) expect(await next(database, value)).toEqual([{ next: value + 1 }]);
    }
  });

  it('are prepared again on another connection when the server has forgotten them', async () => {
    const [database] = databases;
    await database?.write((transaction) => transaction.query('deallocate all'));
    await expect(next(database, 3)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await next(database, 3)).toEqual([{ next: 4 }]);
  });
});
