import { jest } from '@jest/globals';
import { loggedLines } from '@ringdown/testing/logged-lines';
import { Pgbouncer, type PoolMode } from '@ringdown/testing/servers/pgbouncer';
import { PostgresServer } from '@ringdown/testing/servers/postgres-server';
import { Started } from '@ringdown/testing/started';
import { Database, DatabaseUnavailable } from '../src/store/database/database.js';
import { prepared, type Transaction } from '../src/store/database/transaction.js';

jest.setTimeout(120_000);

const INSERT = 'insert into notes (number) select $1::integer returning number';

describe.each<PoolMode>(['session', 'transaction'])('a database behind PgBouncer with pool_mode = %s', (mode) => {
  const started = new Started();
  const log = loggedLines();
  let database: Database;

  beforeAll(async () => {
    const server = started.add(await PostgresServer.start());
    // In transaction mode fewer than the clients have: their transactions meet several servers.
    const pooler = started.add(await Pgbouncer.start(server, mode, mode === 'session' ? 12 : 3));
    database = new Database({ url: pooler.url, poolSize: 12, logger: log.logger });
    started.add({ stop: () => database.close() });
    await database.write((transaction) => transaction.query('create table notes (number integer primary key)'));
  });
  afterAll(() => started.stopAll());

  /** As the reader of the feed: what was not committed is written again. */
  async function insert(number: number): Promise<void> {
    const work = (transaction: Transaction): Promise<unknown> =>
      transaction.query(prepared(transaction, INSERT, [number]));
    for (;;) {
      try {
        return void (await database.write(work));
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
      }
    }
  }

  it('is written to and read, with statements that every batch uses', async () => {
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    await Promise.all(numbers.map(insert));
    const { rows } = await database.read((transaction) =>
      transaction.query<{ number: number }>('select number from notes order by number'),
    );
    expect(rows.map(({ number }) => number)).toEqual(numbers);
  });

  it('is warned about if statements cannot be prepared', () => {
    const warnings = log.lines.filter(({ msg }) => msg.startsWith('a proxy gives')).length;
    expect(warnings).toBe(mode === 'session' ? 0 : 1);
  });
});
