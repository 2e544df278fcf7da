import { jest } from '@jest/globals';
import { eventually } from '@ringdown/testing/eventually';
import { loggedLines } from '@ringdown/testing/logged-lines';
import { PostgresServer } from '@ringdown/testing/servers/postgres-server';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { Database, DatabaseUnavailable } from '../src/store/database/database.js';

jest.setTimeout(180_000);

const ERROR = 50;

describe('a database of several servers', () => {
  const started = new Started();
  let primary: PostgresServer;
  let standby: PostgresServer;

  beforeEach(async () => {
    primary = started.add(await PostgresServer.start());
    standby = started.add(await primary.standby());
  });
  afterEach(() => started.stopAll());

  /** Names the standby first. */
  const both = (): string => `postgres://ringdown@${standby.address},${primary.address}/postgres`;

  function databaseAt(url: string, readUrl?: string): { database: Database; errors: () => string[] } {
    const { logger, lines } = loggedLines();
    const database = new Database({ url, readUrl, poolSize: 4, logger });
    started.add({ stop: () => database.close() });
    return { database, errors: () => lines.filter(({ level }) => level === ERROR).map(({ msg }) => msg) };
  }

  const insert = (database: Database, number: number): Promise<unknown> =>
    database.write((transaction) => transaction.query('insert into notes values ($1)', [number]));

  async function numbers(database: Database): Promise<number[]> {
    const { rows } = await database.read((transaction) =>
      transaction.query<{ number: number }>('select number from notes order by number'),
    );
    return rows.map(({ number }) => number);
  }

  const createNotes = (database: Database): Promise<unknown> =>
    database.write((transaction) => transaction.query('create table notes (number integer)'));

  it('writes to the primary, whichever is named first, and to a standby after its promotion', async () => {
    const { database } = databaseAt(both());
    let switches = 0;
    database.onSwitch(() => switches++);
    await createNotes(database);
    await insert(database, 1);
    await expect(database.checkWrites()).resolves.toBeUndefined();
    const onStandby = databaseAt(standby.url).database;
    await eventually('the standby to follow', async () => (await numbers(onStandby).catch(() => [])).length === 1);
    await primary.kill();
    await expect(insert(database, 2)).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(insert(database, 2)).rejects.toThrow(/no primary: .* \(a standby\), .*ECONNREFUSED/);
    await standby.promote();
    await insert(database, 2);
    expect([await numbers(database), switches]).toEqual([[1, 2], 1]);
  });

  it('is not written to at a standby that is given as the only server', async () => {
    const { database } = databaseAt(standby.url);
    await expect(createNotes(database)).rejects.toThrow(
      /^DATABASE_URL leads to a standby, which cannot be written to: cannot execute CREATE TABLE in a read-only transaction$/,
    );
    await expect(database.checkWrites()).rejects.toThrow(/^DATABASE_URL leads to a standby/);
    await expect(database.check()).resolves.toBeUndefined();
  });

  it('is not written to at the older one of two primaries, which is reported', async () => {
    const { database, errors } = databaseAt(both());
    await createNotes(database);
    await insert(database, 1);
    await standby.promote();
    const isOnNewer = async (): Promise<boolean> => {
      await database.checkWrites();
      return errors().length > 0;
    };
    await eventually('the second primary to be noticed', isOnNewer);
    await insert(database, 2);
    expect(errors()).toEqual([
      `two primaries: ${primary.address} has the older timeline 1 and is not written to; ${standby.address} with timeline 2 is`,
    ]);
    const old = databaseAt(primary.url).database;
    expect(await numbers(old)).toEqual([1]);
    await standby.kill();
    await expect(insert(database, 3)).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(insert(database, 3)).rejects.toThrow(/is a primary of timeline 1, but timeline 2 was written before/);
  });

  it('is read at a standby when DATABASE_READ_URL names it, and at the primary when that is away', async () => {
    const { database } = databaseAt(both(), both());
    await createNotes(database);
    const where = (): Promise<boolean | undefined> =>
      database.readLagging(async (transaction) => {
        const { rows } = await transaction.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
        return rows[0]?.standby;
      });
    expect(await where()).toBe(true);
    await eventually('the standby to follow', async () => (await database.lagSeconds()) === 0);
    await standby.kill();
    await eventually('an answer of the primary', async () => (await where()) === false);
  });

  it('is not found when no host resolves', async () => {
    const database = new Database({ url: 'postgres://one.invalid,two.invalid/x', poolSize: 1, logger: quietLogger() });
    started.add({ stop: () => database.close() });
    await expect(database.check()).rejects.toThrow(/no primary: one\.invalid \(getaddrinfo .*\), two\.invalid \(/);
  });
});
