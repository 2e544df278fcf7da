import { quietLogger } from '@ringdown/testing';
import { HistoryMaintenance } from '../src/feed/history-maintenance.js';
import { published, startXml } from './feed-examples.js';
import { copyCalls, countRowsAtCommit, StoreUnderTest } from './store-under-test.js';

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
}

const COPIES = 2_000;

describe('statistics of the planner', () => {
  let store: StoreUnderTest;

  beforeAll(async () => {
    store = await StoreUnderTest.start();
    await store.commit(published(startXml({ callId: 'one' })));
  });
  afterAll(() => store.stop());

  const calls = expect.stringMatching(/^calls_w\d{8}$/) as string;

  /** Copies are an hour apart. */
  async function expectedCallsBefore(hours: number): Promise<number> {
    const sql = `explain (format json) select from calls
      where began_at < (now() - interval '1 hour' * ${hours})`;
    const [explained] = (await store.rows(sql)) as Explained[];
    return explained?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? NaN;
  }

  it('are renewed when a table has changed enough, and only then', async () => {
    await store.upkeep.analyzeChanged();
    await copyCalls(store.database, COPIES, `'began_at', now() - n * interval '1 hour'`);
    expect(await store.upkeep.analyzeChanged()).toEqual([calls]);
    expect(await expectedCallsBefore(COPIES / 2)).toBeGreaterThan(COPIES * 0.4);
    expect(await expectedCallsBefore(COPIES * 0.95)).toBeLessThan(COPIES * 0.2);
    expect(await store.upkeep.analyzeChanged()).toEqual([]);
    await copyCalls(store.database, 50, `'call_key', 'few ' || n`);
    expect(await store.upkeep.analyzeChanged()).toEqual([]);
  });
});

describe('dead rows', () => {
  let store: StoreUnderTest;

  beforeAll(async () => {
    store = await StoreUnderTest.start();
    await store.commit(published(startXml({ callId: 'one' })));
    await copyCalls(store.database, COPIES, `'began_at', now() - n * interval '1 hour'`);
    await store.upkeep.analyzeChanged();
  });
  afterAll(() => store.stop());

  const calls = expect.stringMatching(/^calls_w\d{8}$/) as string;

  async function deleteCopies(from: number, to: number): Promise<void> {
    await store.database.write(async (transaction) => {
      const copy = `substring(call_key from '^copy (\\d+)$')::integer`;
      await transaction.query(`delete from calls where ${copy} between $1 and $2`, [from, to]);
      await countRowsAtCommit(transaction);
    });
  }

  async function sizeOfCalls(): Promise<number> {
    const sql = `select sum(pg_relation_size(inhrelid))::float8 as bytes from pg_inherits where inhparent = 'calls'::regclass`;
    const [row] = (await store.rows(sql)) as { bytes: number }[];
    return row?.bytes ?? NaN;
  }

  async function vacuumsOfCalls(): Promise<number> {
    const sql = `select sum(pg_stat_get_vacuum_count(inhrelid))::integer as times from pg_inherits where inhparent = 'calls'::regclass`;
    const [row] = (await store.rows(sql)) as { times: number }[];
    return row?.times ?? NaN;
  }

  it('are removed when a table has 50 and a fifth of its rows, and only then', async () => {
    await deleteCopies(1, COPIES * 0.2 + 40);
    expect(await store.upkeep.vacuumTables()).toEqual([]);
    await deleteCopies(COPIES * 0.2 + 41, COPIES * 0.2 + 60);
    expect(await store.upkeep.vacuumTables()).toEqual([calls]);
    expect(await store.upkeep.vacuumTables()).toEqual([]);
  });

  it('leave their room to new rows', async () => {
    const before = await sizeOfCalls();
    for (let turn = 0; turn < 3; turn++) {
      await store.database.write(async (transaction) => {
        await transaction.query(
          "update calls set revisions = revisions + 1, began_at = began_at + interval '1 second'",
        );
        await countRowsAtCommit(transaction);
      });
      await store.upkeep.vacuumTables();
    }
    expect(await sizeOfCalls()).toBeLessThan(before * 2.5);
  });

  it('are removed by the maintenance of the history when it starts', async () => {
    await deleteCopies(COPIES * 0.2 + 61, COPIES * 0.6);
    const { history, upkeep } = store;
    const maintenance = new HistoryMaintenance({ history, upkeep, days: 90, logger: quietLogger() });
    const vacuums = await vacuumsOfCalls();
    maintenance.start();
    // Waits for the runs that have begun.
    await maintenance.stop();
    expect(await vacuumsOfCalls()).toBe(vacuums + 1);
    expect(await upkeep.vacuumTables()).toEqual([]);
  });

  it('are removed without an error when two replicas begin at once', async () => {
    await deleteCopies(COPIES * 0.6 + 1, COPIES);
    const vacuumed = await Promise.all([store.upkeep.vacuumTables(), store.upkeep.vacuumTables()]);
    expect(vacuumed.flat()).toContainEqual(calls);
    expect(await store.upkeep.vacuumTables()).toEqual([]);
  });
});

describe('new entries of text indexes', () => {
  it('are moved to their places, once', async () => {
    const store = await StoreUnderTest.start();
    try {
      await store.commit(published(startXml({ callId: 'one' })));
      expect(await store.upkeep.movePendingEntries()).toBeGreaterThan(0);
      expect(await store.upkeep.movePendingEntries()).toBe(0);
    } finally {
      await store.stop();
    }
  });
});
