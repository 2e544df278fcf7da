import * as fc from 'fast-check';
import { callIdIn, endXml, published, startXml } from './feed-examples.js';
import { copyCalls, StoreUnderTest } from './store-under-test.js';
import { walkPages } from './walk-pages.js';
import { partyKey } from '../src/calls/call-keys.js';
import { searchKey } from '../src/search/keys/search-keys.js';
import { rowsWithRoom } from '../src/store/calls/rows-with-room.js';
import type { CallFilter } from '../src/search/filter/call-filter.js';
import { CallQueries } from '../src/store/calls/call-queries.js';

const DAY_MS = 86_400_000;
const NOW = Date.now();
/** Age in days, several the same: within a week, weeks apart, months apart, and one from a clock that is ahead. */
const BEGINNINGS = [-0.5, 0.5, 1, 1, 1, 6.9, 7.1, 9, 20, 27.9, 28.1, 35, 35, 90, 91, 200, 201, 202, 400];
const RANDOM_BEGINNINGS = fc.sample(fc.double({ min: -1, max: 60, noNaN: true }), 40);
const ROLES = ['anna', 'emil'] as const;

describe('pages of calls found by search keys and words', () => {
  let on: StoreUnderTest;
  let queries: CallQueries;
  const begins = new Map<string, { readonly user: string; readonly at: number }>();

  beforeAll(async () => {
    on = await StoreUnderTest.start();
    queries = new CallQueries(on.database);
    const records = [...BEGINNINGS, ...RANDOM_BEGINNINGS].flatMap((days, n) =>
      ROLES.map((user) => {
        const callId = callIdIn(0, `${user}-${n}-`);
        const at = Math.round(NOW - days * DAY_MS);
        begins.set(callId, { user, at });
        return published(startXml({ callId, from: user, at: new Date(at).toISOString() }));
      }),
    );
    await on.commit(...records);
  });
  afterAll(() => on.stop());

  const expected = (user: string, { from, to }: CallFilter, sort: 'newest' | 'oldest'): readonly string[] => {
    const ids = [...begins]
      .filter(([, call]) => call.user === user)
      .filter(([, { at }]) => (from === undefined || at >= from.getTime()) && (to === undefined || at < to.getTime()))
      .toSorted(([idA, a], [idB, b]) => a.at - b.at || (idA < idB ? -1 : 1))
      .map(([id]) => id);
    return sort === 'oldest' ? ids : ids.toReversed();
  };

  it('contain every call once, in order, regardless of gaps and of where the search begins and ends', async () => {
    const daysAgo = fc.option(fc.integer({ min: -10, max: 420 }), { nil: undefined });
    const requests = fc.record({
      user: fc.constantFrom(...ROLES),
      way: fc.constantFrom('key', 'word', 'both', 'word and state'),
      sort: fc.constantFrom('newest' as const, 'oldest' as const),
      limit: fc.constantFrom(1, 2, 5, 50),
      from: daysAgo,
      to: daysAgo,
    });
    const ways = {
      key: (user: string): CallFilter => ({ searchKeys: [[searchKey('user', partyKey(`sip:${user}@example.test`))]] }),
      word: (user: string): CallFilter => ({ words: [`sip:${user}@`], searchesIdentities: true }),
      both: (user: string): CallFilter => ({ ...ways.key(user), ...ways.word(user) }),
      'word and state': (user: string): CallFilter => ({ ...ways.word(user), states: ['active', 'invited'] }),
    };
    const time = (days: number | undefined): Date | undefined =>
      days === undefined ? undefined : new Date(NOW - days * DAY_MS);
    await fc.assert(
      fc.asyncProperty(requests, async ({ user, way, sort, limit, from, to }) => {
        const filter = { ...ways[way](user), from: time(from), to: time(to) };
        expect(await walkPages(queries, filter, sort, limit)).toEqual(expected(user, filter, sort));
      }),
      { numRuns: 60 },
    );
  });

  it('are empty when no call matches', async () => {
    const filters = [{ searchKeys: [[searchKey('user', partyKey('sip:nobody@example.test'))]] }, { words: ['nobody'] }];
    for (const filter of filters) {
      for (const sort of ['newest', 'oldest'] as const) expect(await walkPages(queries, filter, sort, 5)).toEqual([]);
    }
  });
});

describe('pages of calls sorted by duration', () => {
  const HOUR_MS = 3_600_000;
  const MIDNIGHT = Date.parse('2026-03-02T00:00:00Z');
  /** Offsets in hours, most of them within two days, some at the very end or beginning of an hour. */
  const HOURS = [-2000, -1, 0, 0, 0, 0.5, 1 - 1 / HOUR_MS, 1, 7.25, 7.5, 7.75, 12, 12.1, 12.2, 23.9, 24, 30, 47.5, 600];
  /** Undefined for calls in progress. */
  const SECONDS = [0, 60, 60, undefined, 61.5, 3_600];
  let on: StoreUnderTest;
  let queries: CallQueries;
  const stored: { readonly id: string; readonly at: number; readonly seconds: number }[] = [];

  beforeAll(async () => {
    on = await StoreUnderTest.start();
    queries = new CallQueries(on.database);
    const records = HOURS.flatMap((hours, h) =>
      SECONDS.flatMap((seconds, s) => {
        const callId = callIdIn(0, `call-${h}-${s}-`);
        const at = Math.round(MIDNIGHT + hours * HOUR_MS);
        const start = published(startXml({ callId, at: new Date(at).toISOString() }));
        if (seconds === undefined) return [start];
        stored.push({ id: callId, at, seconds });
        return [start, published(endXml({ callId, at: new Date(at + seconds * 1_000).toISOString() }))];
      }),
    );
    await on.commit(...records);
    // So that one hour has calls of several weeks.
    for (const { id } of stored.filter((_, n) => n % 3 === 0)) await on.age(id, 40);
  });
  afterAll(() => on.stop());

  const expected = (from: number, to: number, sort: 'longest' | 'shortest'): readonly string[] => {
    const ids = stored
      .filter(({ at }) => at >= from && at < to)
      .toSorted((a, b) => a.seconds - b.seconds || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id);
    return sort === 'shortest' ? ids : ids.toReversed();
  };

  it('contain every call of the period once, in order, with and without another filter', async () => {
    const quarters = fc.integer({ min: -8, max: 200 }).map((n) => n / 4);
    const bound = fc.oneof(
      { weight: 6, arbitrary: quarters },
      fc.constantFrom(-2500, -2000, 300, 601),
      fc.double({ min: -3, max: 50, noNaN: true }),
    );
    const requests = fc.record({
      sort: fc.constantFrom('longest' as const, 'shortest' as const),
      limit: fc.constantFrom(3, 7, 50),
      bounds: fc.tuple(bound, bound),
    });
    await fc.assert(
      fc.asyncProperty(requests, async ({ sort, limit, bounds }) => {
        const times = bounds.map((hours) => Math.round(MIDNIGHT + hours * HOUR_MS));
        const [from, to] = [Math.min(...times), Math.max(...times)];
        const filter = { from: new Date(from), to: new Date(to), searchKeys: [] };
        const ids = expected(from, to, sort);
        expect(await walkPages(queries, filter, sort, limit)).toEqual(ids);
        expect(await walkPages(queries, { ...filter, states: ['ended', 'active'] }, sort, limit)).toEqual(ids);
      }),
      { numRuns: 60 },
    );
  });
});

describe('pages of calls with as much text as records may have', () => {
  const CALLS = 50;
  let on: StoreUnderTest;
  let queries: CallQueries;
  const ids: string[] = [];

  beforeAll(async () => {
    on = await StoreUnderTest.start();
    queries = new CallQueries(on.database);
    for (let n = 0; n < CALLS; n++) {
      const callId = callIdIn(0, `fat-${n}-`);
      ids.push(callId);
      // Over a month: in several of the time ranges that a search reads one after the other.
      await on.commit(published(fatXml(callId, NOW - (CALLS - n) * 0.7 * DAY_MS)));
    }
  });
  afterAll(() => on.stop());

  /** 350,000 characters. */
  function fatXml(callId: string, at: number): string {
    const errors = Array.from({ length: 11 }, (_, n) => {
      const text = `${n};${'a=b;'.repeat(8_000)}`;
      return `<Error><EndPoint><Id>a1</Id></EndPoint><Properties><VendorDiagnostics>${text}</VendorDiagnostics></Properties></Error>`;
    });
    const xml = startXml({ callId, at: new Date(at).toISOString() });
    return xml.replace(/(<\/[^<>/]+>\s*)$/, `${errors.join('')}$1`);
  }

  it('end sooner, and contain every call once, in order', async () => {
    const first = await queries.page({}, 'oldest', 200);
    expect(first.calls.length).toBeGreaterThan(1);
    expect(JSON.stringify(first.calls).length).toBeLessThan(8 * 1_024 * 1_024);
    expect(await walkPages(queries, {}, 'oldest', 200)).toEqual(ids);
    expect(await walkPages(queries, {}, 'newest', 7)).toEqual(ids.toReversed());
    const found = { searchKeys: [[searchKey('user', partyKey('sip:anna@example.test'))]] };
    expect(await walkPages(queries, found, 'newest', 50)).toEqual(ids.toReversed());
    for (const sort of ['newest', 'oldest'] as const) {
      const page = await queries.page({ words: ['anna'], searchesIdentities: true }, sort, 50);
      expect(page).toEqual(await queries.page({}, sort, 50));
    }
  });

  it('are limited in a snapshot of calls in progress to the newest calls that can be sent at once', async () => {
    const { calls, total } = await queries.inProgress(1_000);
    expect(total).toBe(CALLS);
    expect(calls.length).toBeGreaterThan(1);
    expect(JSON.stringify(calls).length).toBeLessThan(17 * 1_024 * 1_024);
    expect(calls.map(({ callId }) => callId)).toEqual(ids.toReversed().slice(0, calls.length));
  });
});

describe('a page that ends sooner because its calls are large', () => {
  /** 350,000 characters each, which are compressed to about half. */
  const LARGE = `'call_bytes', null, 'call', jsonb_build_object('callId', 'copy ' || n,
    'text', (select string_agg(i || '=' || i || ';', '') from generate_series(1, 23000) as i))`;
  const SORTING = 'order by began_at desc, call_key desc';
  let on: StoreUnderTest;

  beforeAll(async () => {
    on = await StoreUnderTest.start();
    await on.commit(published(startXml({ callId: 'one', at: new Date(NOW).toISOString() })));
    await copyCalls(on.database, 60, LARGE);
  });
  afterAll(() => on.stop());

  /** The rows of a page with at most a million characters, and the blocks of the database that it reads for them. */
  async function costOf(limit: number): Promise<{ rows: number; blocks: number }> {
    const page = `select call, call_bytes, began_at, call_key from calls ${SORTING} limit ${limit}`;
    const most = 1_000_000;
    const sql = rowsWithRoom({ page, columns: 'call', sorting: SORTING, mostCharacters: most, room: `${most}` });
    const { rows } = await on.database.read((transaction) =>
      transaction.query<{ 'QUERY PLAN': readonly { Plan: Record<string, number> }[] }>(
        `explain (analyze, buffers, format json) ${sql}`,
      ),
    );
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan ?? {};
    return {
      rows: plan['Actual Rows'] ?? 0,
      blocks: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
    };
  }

  it('reads none of those that are not on it', async () => {
    const all = await costOf(200);
    expect([all.rows > 1, all.rows < 10]).toEqual([true, true]);
    const few = await costOf(all.rows);
    expect(few.rows).toBe(all.rows);
    // One block for each of the other rows, which are found and sorted; their calls have ten each.
    expect(all.blocks).toBeLessThan(few.blocks * 4);
  });
});
