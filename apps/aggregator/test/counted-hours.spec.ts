import { LOAD_DIMENSIONS } from '@ringdown/call-catalogue/filters';
import { eventually } from '@ringdown/testing/eventually';
import { array, constantFrom, integer, record, sample } from 'fast-check';
import type { CallFilter } from '../src/search/filter/call-filter.js';
import { rangesOf } from '../src/search/query/call-ranges-query.js';
import type { Transaction } from '../src/store/database/transaction.js';
import { HourCounter } from '../src/store/statistics/counting/hour-counter.js';
import { readCountedTime, type Span } from '../src/store/statistics/hours/counted-time.js';
import type { Buckets } from '../src/store/statistics/buckets.js';
import type { LoadCounts } from '../src/store/statistics/load/load.js';
import { loadOf } from '../src/store/statistics/load/load-question.js';
import { SuspectSource } from '../src/store/statistics/suspects/suspect-source.js';
import { published, startXml } from './feed-examples.js';
import { FROM, HOUR, iso, LENGTH, MINUTE, randomCall, type RandomCall } from './random-calls.js';
import { StoreUnderTest } from './store-under-test.js';

const SITES = [
  { site: 'Oslo', net: '10.1.0.0/16' },
  { site: 'Bergen', net: '10.2.0.0/16' },
];
const KEPT: CallFilter = { uploads: 'exclude' };
/** The same calls, by a condition of which nothing is kept. */
const FROM_CALLS: CallFilter = { ...KEPT, withoutSearchKeys: ['no:call'] };
/** Of what is kept of each call. */
const FILTERS: readonly CallFilter[] = [
  { verdicts: ['bad'] },
  { searchKeys: [['trunk:north', 'trunk:none'], ['device:sonora']] },
  { withoutSearchKeys: ['trunk:south', 'device:none'], withoutStates: ['failed'] },
  { site: 'Oslo', places: [{ net: '10.1.0.0/16', except: [] }], searchKeys: [['subnet:10.1.0.0/16']] },
  {
    site: 'Oslo',
    places: [{ net: '10.1.0.0/16', except: [] }],
    address: '10.1.0.2',
    searchKeys: [['subnet:10.1.0.2'], ['subnet:10.1.0.0/16']],
  },
  {
    ranges: rangesOf({
      minDurationSeconds: 60,
      runningFrom: new Date((Math.floor(Date.now() / 3_600_000) - 10) * 3_600_000),
    }),
  },
];

describe('counted hours', () => {
  let on: StoreUnderTest;
  let hours: HourCounter;

  beforeAll(async () => {
    on = await StoreUnderTest.start();
    hours = counter();
    await on.commit(published(startXml({ callId: 'template', at: iso(0) })));
    await on.database.write((transaction) => transaction.query(`update calls set lasted_until = began_at`));
  });
  afterAll(() => on.stop());

  const counter = (): HourCounter =>
    new HourCounter({ database: on.database, sites: { subnets: SITES }, days: 90, restMs: -1_000 });

  /** Inserts, changes and deletes. */
  async function change(transaction: Transaction, calls: readonly RandomCall[]): Promise<void> {
    const keyOf = ({ number }: RandomCall): string => `copy ${number}`;
    const rows = calls.flatMap(({ began, length, isRefused, keys, state, gone, ...call }) => {
      const places = call.addresses.includes('10.1.0.1') ? ['subnet:10.1.0.0/16'] : [];
      const refusal = state === 'failed' && isRefused ? ['endCode:503', 'refusedBy:edge 1'] : [];
      return gone
        ? []
        : {
            ...call,
            call_key: keyOf({ began, length, isRefused, keys, state, gone, ...call }),
            state: length === null ? 'active' : state,
            began_at: iso(began),
            lasted_until: length === null ? null : iso(began + length),
            search_keys: [...keys, ...refusal, ...places],
            duration_seconds: length ?? -1,
          };
    });
    await transaction.query('delete from calls where call_key = any($1)', [
      calls.filter(({ number }) => number % 2 === 0).map(keyOf),
    ]);
    await transaction.query(
      `insert into calls select (jsonb_populate_record(calls, row)).* from calls, jsonb_array_elements($1::jsonb) as row
       where call_key = 'template'
       on conflict (call_key, stored_on) do update set began_at = excluded.began_at, lasted_until = excluded.lasted_until,
         state = excluded.state, verdict = excluded.verdict, uploaded = excluded.uploaded, front_ends = excluded.front_ends,
         search_keys = excluded.search_keys, duration_seconds = excluded.duration_seconds, addresses = excluded.addresses, media = excluded.media`,
      [JSON.stringify([...new Map(rows.map((row) => [row.call_key, row])).values()])],
    );
  }

  const load = (filter: CallFilter, buckets: Buckets, by?: (typeof LOAD_DIMENSIONS)[number]): Promise<LoadCounts> =>
    loadOf(on.database, SITES, { filter, buckets, by, limit: 2 });

  /** The calls with their values as texts, in the order of their keys. */
  async function suspects(filter: CallFilter, span: Span, most: number): Promise<unknown> {
    return on.database.read(async (transaction) => {
      const source = await SuspectSource.of(transaction, { ...filter, ...span }, { sites: SITES, most });
      const { facts, rows } = await source.read(300);
      const text = (fact: number | undefined): string | undefined =>
        fact === undefined ? undefined : `${facts[fact]?.dimension} ${facts[fact]?.value}`;
      const calls = rows.map((row) => ({
        ...row,
        facts: new Set(row.facts.map(text)),
        refusedBy: text(row.refusedBy),
      }));
      return {
        facts,
        oneOf: source.oneOf,
        counts: await source.counts(),
        calls: calls.toSorted((a, b) => (a.callKey < b.callKey ? -1 : 1)),
      };
    });
  }

  async function expectSameAnswers(span: Span): Promise<void> {
    for (const seconds of [MINUTE, HOUR, 90 * MINUTE])
      for (const by of [undefined, ...LOAD_DIMENSIONS])
        expect(await load(KEPT, { ...span, seconds }, by)).toEqual(await load(FROM_CALLS, { ...span, seconds }, by));
    for (const most of [20_000, 30])
      expect(await suspects(KEPT, span, most)).toEqual(await suspects(FROM_CALLS, span, most));
  }

  async function expectSameFilteredAnswers(span: Span): Promise<void> {
    for (const filter of FILTERS) {
      const kept: CallFilter = { ...KEPT, ...filter };
      const fromCalls = { ...kept, withoutSearchKeys: [...(filter.withoutSearchKeys ?? []), 'no:call'] };
      expect(await suspects(kept, span, 30)).toEqual(await suspects(fromCalls, span, 30));
      for (const by of [undefined, ...LOAD_DIMENSIONS]) {
        const buckets = { ...span, seconds: 90 * MINUTE };
        expect(await load(kept, buckets, by)).toEqual(await load(fromCalls, buckets, by));
      }
    }
  }

  const countedHours = async (): Promise<number> => {
    const span = { from: new Date(FROM * 1_000), to: new Date((FROM + LENGTH) * 1_000) };
    const found = await on.database.read((transaction) => readCountedTime(transaction, span, SITES));
    return (found?.counted ?? []).reduce(
      (sum, { from, to }) => sum + (to.getTime() - from.getTime()) / HOUR / 1_000,
      0,
    );
  };

  /** Waits for transactions of other tests, too: the number of the oldest that runs is that of the whole server. */
  async function countAll(): Promise<void> {
    await eventually('all hours are counted', async () => {
      await hours.count();
      return (await countedHours()) === LENGTH / HOUR;
    });
  }

  const spans = record({
    first: integer({ min: -10, max: 200 }),
    minutes: integer({ min: 1, max: 300 }),
    more: constantFrom(0, 0, 17),
  }).map(({ first, minutes, more }): Span => {
    return { from: new Date(iso(first * MINUTE)), to: new Date(iso((first + minutes) * MINUTE + more)) };
  });

  it('are forgotten without an error when there are none, at whatever part of a second', async () => {
    for (let times = 0; times < 3; times++) await expect(hours.forget()).resolves.toBeUndefined();
  });

  it('give the answers of the calls at every moment, whatever changes', async () => {
    const changes = sample(array(randomCall, { minLength: 1, maxLength: 150, size: 'max' }), { numRuns: 12, seed: 44 });
    for (const [n, calls] of changes.entries()) {
      await on.database.write((transaction) => change(transaction, calls));
      if (n % 3 !== 1) await countAll();
      for (const span of sample(spans, { numRuns: 2, seed: n })) await expectSameAnswers(span);
      for (const span of sample(spans, { numRuns: 1, seed: n })) await expectSameFilteredAnswers(span);
    }
    expect(await countedHours()).toBe(LENGTH / HOUR);
  });

  it('are not used before those have ended who have not seen that an hour is counted', async () => {
    const [call] = sample(randomCall, { numRuns: 1, seed: 1 });
    const span = { from: new Date(iso(0)), to: new Date(iso(LENGTH)) };
    await on.database.write((transaction) => transaction.query('delete from counted_hours'));
    const other = counter();
    await on.database.write(async (transaction) => {
      await change(transaction, call === undefined ? [] : [{ ...call, gone: false, began: HOUR, number: 1 }]);
      await other.count();
      await hours.count();
      expect(await countedHours()).toBe(0);
    });
    await countAll();
    await expectSameAnswers(span);
  });

  it('lose to a change that is made while they are counted', async () => {
    const span = { from: new Date(iso(0)), to: new Date(iso(LENGTH)) };
    const [call] = sample(randomCall, { numRuns: 1, seed: 2 });
    await on.database.write((transaction) =>
      transaction.query(`insert into changed_hours select tstzrange(min(hour), max(hour), '[]') from counted_hours`),
    );
    await on.database.write(async (transaction) => {
      await change(
        transaction,
        call === undefined ? [] : [{ ...call, gone: false, began: 2 * HOUR, length: 60, number: 150 }],
      );
      await hours.count();
      expect(await countedHours()).toBe(LENGTH / HOUR);
    });
    expect(await countedHours()).toBe(LENGTH / HOUR - 1);
    await expectSameAnswers(span);
  });

  it('cost one note for a change of a call that lasts for months', async () => {
    const long = `insert into calls select (jsonb_populate_record(calls, $1)).* from calls where call_key = 'template'`;
    await countAll();
    await on.database.write(async (transaction) => {
      await transaction.query('delete from changed_hours');
      await transaction.query(long, [{ call_key: 'long', began_at: iso(-100 * 24 * HOUR), lasted_until: null }]);
      for (let change = 0; change < 3; change++)
        await transaction.query(`update calls set state = 'active' where call_key = 'long'`);
    });
    expect(await on.rows('select count(*)::integer as notes from changed_hours')).toEqual([{ notes: 4 }]);
    expect(await countedHours()).toBe(0);
    await countAll();
    await on.database.write((transaction) => transaction.query(`delete from calls where call_key = 'long'`));
    await hours.count();
    await expectSameAnswers({ from: new Date(iso(0)), to: new Date(iso(LENGTH)) });
  });

  it('take no new numbers for values that were counted before', async () => {
    const lastNumber = (): Promise<readonly unknown[]> => on.rows('select last_value from call_facts_id_seq');
    await countAll();
    const before = await lastNumber();
    await on.database.write((transaction) =>
      transaction.query(`insert into changed_hours select tstzrange(min(hour), max(hour), '[]') from counted_hours`),
    );
    expect(await countedHours()).toBeLessThan(LENGTH / HOUR);
    await countAll();
    expect(await lastNumber()).toEqual(before);
  });

  it('are counted again when their sites change', async () => {
    const moved = [{ site: 'Oslo', net: '10.2.0.0/16' }];
    await new HourCounter({ database: on.database, sites: { subnets: moved }, days: 90 }).count();
    expect(await countedHours()).toBe(0);
    await countAll();
  });

  it('leave with the week of their calls', async () => {
    await on.database.write((transaction) =>
      transaction.query(`update calls set lasted_until = began_at, state = 'ended', stored_on = stored_on - 60`),
    );
    await countAll();
    expect(await on.history.deleteOlderThan(0)).toBeGreaterThan(0);
    await hours.forget();
    expect(await countedHours()).toBe(0);
    for (const table of ['hour_calls', 'hour_loads'])
      expect(await on.rows(`select count(*)::integer as rows from ${table}`)).toEqual([{ rows: 0 }]);
  });
});
