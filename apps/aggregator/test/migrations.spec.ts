import { jest } from '@jest/globals';
import { quietLogger, startPostgres, type TestDatabase } from '@ringdown/testing';
import { Database } from '../src/store/database.js';
import { migrate, MIGRATIONS } from '../src/store/migrations.js';

// A database starts here, on machines that may have little time for it.
jest.setTimeout(60_000);

describe('the database of an older program', () => {
  let server: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    server = await startPostgres();
    database = new Database({ url: server.url, poolSize: 2, logger: quietLogger() });
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  it('is brought up to date with what is in it, and its calls are marked to be made anew', async () => {
    await migrate(database, MIGRATIONS.slice(0, 1));
    await database.write((transaction) =>
      transaction.query(
        `insert into calls (call_key, state, verdict, began_at, version, front_ends, parties, call)
         values ('c1', 'active', 'unknown', '2026-03-02T10:00:00Z', 1, '{fe1}', '{}', '{"callId":"C1"}')`,
      ),
    );
    await migrate(database);
    await migrate(database);
    const { rows } = await database.read((transaction) =>
      transaction.query('select call_key, state, stale, revisions, waits_for, looked_at from calls'),
    );
    expect(rows).toEqual([
      { call_key: 'c1', state: 'active', stale: true, revisions: 0, waits_for: null, looked_at: null },
    ]);
  });

  it('that is newer than the program is left alone', async () => {
    await expect(migrate(database, MIGRATIONS.slice(0, 1))).rejects.toThrow(
      `the database has version ${MIGRATIONS.length}, this program knows 1: it is too old`,
    );
  });
});
