import { jest } from '@jest/globals';
import { Semaphore } from '@ringdown/concurrency';
import { PARTITIONS, type ReadRecord } from '@ringdown/contracts/records';
import type { Position, ReadBatch } from '@ringdown/feed-bus';
import { eventually } from '@ringdown/testing/eventually';
import { loggedLines, type LoggedLines } from '@ringdown/testing/logged-lines';
import { CrashLoopGuard } from '../src/feed/crash-loop-guard.js';
import { GroupCommit, type CommitPlace } from '../src/feed/group-commit.js';
import type { UnprocessableRecord } from '../src/feed/record-intake.js';
import type { Committed } from '../src/store/calls/call-store.js';
import { DatabaseUnavailable } from '../src/store/database/database.js';
import { ReadingAttempts } from '../src/store/database/reading-attempts.js';
import { Transaction } from '../src/store/database/transaction.js';
import { PositionMoved } from '../src/store/feed/positions.js';
import { callIdIn, endXml, read, startXml } from './feed-examples.js';
import { StoreUnderTest } from './store-under-test.js';
import { recordsByCall } from './stored-records.js';

const THREE = [1, 2, 3];
/** PostgreSQL's name for a value that a text cannot hold. */
const NO_TEXT = '\u0000';

type Outcome = Committed | Error;

describe('batches of several partitions that are stored together', () => {
  let on: StoreUnderTest;
  let groups: GroupCommit;
  let guard: CrashLoopGuard;
  let setAside: (batch: ReadBatch, records: readonly UnprocessableRecord[]) => Promise<void>;
  let lines: LoggedLines['lines'];
  const places = new Map<number, CommitPlace>();
  const positions = new Map<number, Position>();
  /** By test, so that none finds calls of another. */
  let test = 0;

  beforeAll(async () => {
    on = await StoreUnderTest.start();
  });
  beforeEach(async () => {
    test++;
    const logged = loggedLines();
    ({ lines } = logged);
    const { logger } = logged;
    setAside = () => Promise.resolve();
    const storing = {
      store: on.store,
      time: () => Promise.resolve({ now: Date.now(), isBusRight: true }),
      setAside: (batch: ReadBatch, records: readonly UnprocessableRecord[]) => setAside(batch, records),
      logger,
    };
    guard = new CrashLoopGuard({ ...storing, attempts: new ReadingAttempts(on.database) });
    groups = new GroupCommit({ ...storing, guard, slots: new Semaphore(1) });
    for (const partition of THREE)
      places.set(
        partition,
        groups.place(partition, () => ({ bytes: 1_000, isFull: false })),
      );
    // So that all have a position.
    expect(await outcomes(THREE.map((partition) => nextBatch(partition, 'first')))).toEqual(
      THREE.map(() => expect.objectContaining({ added: 1 })),
    );
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => on.stop());

  function callIdFor(partition: number, prefix: string): string {
    return callIdIn(partition, `${prefix}-${test}-`);
  }

  /** The start of a call of this partition, in the next message. */
  function nextBatch(partition: number, prefix: string, more: readonly ReadRecord[] = []): ReadBatch {
    const before = positions.get(partition);
    const after = { epoch: 'e', sequence: (before?.sequence ?? 0) + 1 };
    const frontEnd = `fe-${test}`;
    const records = [read(startXml({ callId: callIdFor(partition, prefix), frontEnd })), ...more];
    const sent = [{ collector: `c${test}`, number: after.sequence, records: records.length }];
    return { partition, partitions: PARTITIONS, records, sent, before, after, backlog: 0 };
  }

  /** As the readers of the partitions do it at the same time. */
  async function outcomes(batches: readonly ReadBatch[]): Promise<readonly Outcome[]> {
    return Promise.all(batches.map(outcome));
  }

  async function outcome(batch: ReadBatch): Promise<Outcome> {
    const place = places.get(batch.partition);
    if (place === undefined) throw new Error('no such partition');
    const [, release] = await place.acquire();
    try {
      const committed = await groups.process(batch, place);
      positions.set(batch.partition, batch.after);
      return committed;
    } catch (error) {
      return error instanceof Error ? error : new Error('not an error');
    } finally {
      release();
    }
  }

  /** Records by the CallId, for those of this test. */
  function stored(): Promise<ReadonlyMap<string, number>> {
    return recordsByCall((sql) => on.rows(sql), `call_key like '%-${test}-%'`);
  }

  async function expectStored(prefix: string, partitions: readonly number[], records = 1): Promise<void> {
    const found = await stored();
    const expected = partitions.map((partition) => [callIdFor(partition, prefix).toLowerCase(), records]);
    expect(expected.map(([call]) => [call, found.get(String(call))])).toEqual(expected);
  }

  /** What is counted of the front end and the collector of this test equals what is stored. */
  async function expectCounted(records: number): Promise<void> {
    expect(
      await on.rows(
        `select (select sum(records)::integer from front_ends where name_key = 'fe-${test}') as kept,
           (select sum(records)::integer from front_end_activity where name_key = 'fe-${test}') as active,
           (select sum(records)::integer from collector_progress where collector = 'c${test}') as sent`,
      ),
    ).toEqual([{ kept: records, active: records, sent: records }]);
  }

  async function transactions(): Promise<number> {
    const rows = await on.rows('select distinct xmin::text from partition_positions where partition in (1, 2, 3)');
    return rows.length;
  }

  it('are one transaction', async () => {
    expect(await transactions()).toBe(3);
    const ends = THREE.map((partition) =>
      read(endXml({ callId: callIdFor(partition, 'first'), frontEnd: `fe-${test}` })),
    );
    const found = await outcomes(THREE.map((partition, n) => nextBatch(partition, 'one', ends.slice(n, n + 1))));
    expect(found).toMatchObject(THREE.map(() => ({ added: 2, duplicates: 0 })));
    expect(found.map((each) => 'calls' in each && each.calls.map(({ callId }) => callId))).toEqual(
      THREE.map((partition) => [callIdFor(partition, 'one'), callIdFor(partition, 'first')]),
    );
    expect(await transactions()).toBe(1);
    await expectStored('one', THREE);
    await expectStored('first', THREE, 2);
    await expectCounted(9);
  });

  it('are stored without the one whose position has moved', async () => {
    const stale = { ...nextBatch(2, 'stale'), before: { epoch: 'e', sequence: 99_999 } };
    const found = await outcomes([nextBatch(1, 'moved'), stale, nextBatch(3, 'moved')]);
    expect(found[1]).toBeInstanceOf(PositionMoved);
    expect([found[0], found[2]]).toMatchObject([{ added: 1 }, { added: 1 }]);
    expect((await stored()).has(callIdFor(2, 'stale').toLowerCase())).toBe(false);
    await expectStored('moved', [1, 3]);
    await expectCounted(5);
    // It was part of the transaction of the others, which did not begin again.
    expect(lines).toEqual([]);
    expect(await outcome(nextBatch(2, 'moved'))).toMatchObject({ added: 1 });
  });

  it('are stored without the one that was read with another number of partitions', async () => {
    const found = await outcomes([
      nextBatch(1, 'div'),
      { ...nextBatch(2, 'div'), partitions: 16 },
      nextBatch(3, 'div'),
    ]);
    expect(found[1]).toBeInstanceOf(PositionMoved);
    await expectStored('div', [1, 3]);
  });

  it('are stored alone when a record of one cannot be stored, which is set aside', async () => {
    const apart: unknown[] = [];
    setAside = async (batch, records) => {
      for (const { record, code } of records) apart.push([batch.partition, code, Object(record).id]);
    };
    const poison = read(startXml({ callId: callIdFor(2, 'poison'), frontEnd: `fe-${test}` }));
    const unstorable = { ...poison, xml: NO_TEXT };
    const found = await outcomes([nextBatch(1, 'data'), nextBatch(2, 'data', [unstorable]), nextBatch(3, 'data')]);
    expect(found).toMatchObject(THREE.map(() => ({ added: 1, duplicates: 0 })));
    expect(apart).toEqual([[2, 'unstorable-record', poison.id]]);
    await expectStored('data', THREE);
    expect((await stored()).has(callIdFor(2, 'poison').toLowerCase())).toBe(false);
    expect(lines.map(({ msg }) => msg)).toEqual(['batches could not be stored together; storing each alone']);
  });

  it('are stored without the one that meets a damaged page, which does not join them again until it is stored', async () => {
    await run(`create function damaged() returns trigger language plpgsql as $$
      begin raise exception using errcode = 'XX001', message = 'invalid page in block 1'; end $$`);
    await run(`create trigger damaged before insert on calls for each row when (new.call_key like 'hurt%')
      execute function damaged()`);
    try {
      const damaged = nextBatch(2, 'hurt');
      for (const round of ['a', 'b', 'c']) {
        const found = await outcomes([nextBatch(1, round), damaged, nextBatch(3, round)]);
        expect(found[1]).toMatchObject({ message: 'invalid page in block 1' });
        await expectStored(round, [1, 3]);
      }
      // Only the first group had to begin again.
      expect(lines).toHaveLength(1);
    } finally {
      await run('drop trigger damaged on calls; drop function damaged');
    }
    expect(await outcome(nextBatch(2, 'hurt'))).toMatchObject({ added: 1 });
    await outcomes(THREE.map((partition) => nextBatch(partition, 'whole')));
    expect(await transactions()).toBe(1);
  });

  it('are stored without the one whose records cannot be set aside', async () => {
    setAside = async ({ partition }, records) => {
      if (partition === 2 && records.length > 0) throw new Error('the bus is not there');
    };
    const unreadable = { ...read(startXml({ callId: callIdFor(2, 'odd') })), id: '' };
    const found = await outcomes([nextBatch(1, 'bus'), nextBatch(2, 'bus', [unreadable]), nextBatch(3, 'bus')]);
    expect(found[1]).toMatchObject({ message: 'the bus is not there' });
    await expectStored('bus', [1, 3]);
  });

  it('do not wait for a position that another transaction holds', async () => {
    const held = Promise.withResolvers<void>();
    const holding = on.database.write(async (transaction) => {
      await transaction.query('select 1 from partition_positions where partition = 2 for update');
      await held.promise;
    });
    await eventually('the lock', () => lockedRows());
    const [first, slow, third] = THREE.map((partition) => outcome(nextBatch(partition, 'slow')));
    expect(await Promise.all([first, third])).toMatchObject([{ added: 1 }, { added: 1 }]);
    await expectStored('slow', [1, 3]);
    expect((await stored()).has(callIdFor(2, 'slow').toLowerCase())).toBe(false);
    held.resolve();
    await holding;
    expect(await slow).toMatchObject({ added: 1 });
    await expectStored('slow', THREE);
  });

  it('are stored without the one at which a process ended, which is read a few records at a time', async () => {
    for (let start = 0; start < 2; start++) {
      await new ReadingAttempts(on.database).begin(2, positions.get(2));
    }
    groups.end(2);
    await guard.begin(2, positions.get(2));
    const found = await outcomes(THREE.map((partition) => nextBatch(partition, 'ends')));
    expect(found).toMatchObject(THREE.map(() => ({ added: 1 })));
    await expectStored('ends', THREE);
    expect(await transactions()).toBe(2);
    await guard.end(2);
  });

  it('are all refused when the connection is lost at any statement, and each stored once when they come again', async () => {
    const query = jest.spyOn(Transaction.prototype, 'query');
    const statements: number[] = [];
    for (let at = 1; ; at++) {
      query.mockClear();
      let isKilled = false;
      // oxlint-disable-next-line typescript/no-loop-func -- one statement after the other
      query.mockImplementation(async function (this: Transaction, ...args) {
        if (query.mock.calls.length === at) {
          isKilled = true;
          await killWriter();
        }
        return originalQuery.apply(this, args);
      });
      const batches = THREE.map((partition) => nextBatch(partition, `kill${at}`));
      const found = await outcomes(batches);
      query.mockImplementation(originalQuery);
      if (!isKilled) break;
      statements.push(at);
      expect(found).toEqual(THREE.map(() => expect.any(DatabaseUnavailable)));
      expect(await outcomes(batches)).toMatchObject(THREE.map(() => ({ added: 1, duplicates: 0 })));
      await expectStored(`kill${at}`, THREE);
    }
    expect(statements.length).toBeGreaterThan(4);
    await expectCounted(3 + 3 * (statements.length + 1));
  });

  // oxlint-disable-next-line typescript/unbound-method -- called for the transaction of each statement
  const originalQuery = Transaction.prototype.query;

  async function run(sql: string): Promise<void> {
    await on.database.write((transaction) => transaction.query(sql));
  }

  async function lockedRows(): Promise<boolean> {
    const rows = await on.rows(
      `select 1 from pg_stat_activity where state = 'idle in transaction' and query like '%where partition = 2 for update'`,
    );
    return rows.length > 0;
  }

  /** Ends the connection whose transaction has begun to write. */
  async function killWriter(): Promise<void> {
    await on.rows(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`,
    );
  }
});
