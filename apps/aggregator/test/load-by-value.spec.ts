import type { LoadDimension } from '@ringdown/call-catalogue/filters';
import { array, integer, option, record, sample, subarray, type Arbitrary } from 'fast-check';
import type { Load, LoadCounts, LoadOfValue } from '../src/store/statistics/load/load.js';
import { loadOf } from '../src/store/statistics/load/load-question.js';
import { published, startXml } from './feed-examples.js';
import { StoreUnderTest } from './store-under-test.js';

/** Seconds from which calls are made and counted: an hour before midnight. */
const FROM = Date.parse('2026-03-01T23:00:00Z') / 1_000;
const [HOUR, WEEK] = [3_600, 604_800];
const SITES = [
  { site: 'Oslo', net: '10.1.0.0/16' },
  { site: 'Oslo lab', net: '10.1.5.0/24' },
  { site: 'Bergen', net: '10.2.0.0/16' },
];
const SITE_OF: Readonly<Record<string, string | undefined>> = {
  '10.1.0.1': 'Oslo',
  '10.1.0.2': 'Oslo',
  '10.1.5.1': 'Oslo lab',
  '10.2.0.1': 'Bergen',
  '192.0.2.1': undefined,
};
const LIMIT = 2;

interface Stream {
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly average: number;
  readonly maximum: number;
  readonly addresses: readonly string[];
}

/** Times in seconds since the beginning of the period. */
interface RandomCall {
  readonly began: number;
  /** Null: it goes on. */
  readonly lasted: number | null;
  readonly trunks: readonly string[];
  readonly frontEnds: readonly string[];
  readonly streams: readonly Stream[];
}

/** Multiples of 30 seconds among others, so that ends, beginnings and minutes meet. */
function moments(least: number, most: number): Arbitrary<number> {
  const half = integer({ min: Math.ceil(least / 30), max: Math.floor(most / 30) }).map((n) => n * 30);
  return integer({ min: 0, max: 3 }).chain((kind) => (kind === 0 ? integer({ min: least, max: most }) : half));
}

function randomCalls(seconds: number): Arbitrary<readonly RandomCall[]> {
  const some = moments(-HOUR, seconds + 600);
  const stream = record({
    startedAt: option(some, { freq: 3 }),
    endedAt: option(some, { freq: 3 }),
    average: integer({ min: 0, max: 5 }).map((n) => n * 64_000),
    maximum: integer({ min: 0, max: 5 }).map((n) => n * 100_000),
    addresses: subarray(Object.keys(SITE_OF), { maxLength: 2 }),
  });
  const call = record({
    began: some,
    length: option(moments(0, seconds), { freq: 8 }),
    trunks: subarray(['north', 'south', 'hidden-0123456789abcdef'], { maxLength: 2 }),
    frontEnds: subarray(['fe1', 'fe2'], { minLength: 0 }),
    streams: array(stream, { maxLength: 3 }),
  });
  return array(
    call.map(({ length, ...rest }) => ({ ...rest, lasted: length === null ? null : rest.began + length })),
    { maxLength: 25 },
  );
}

/** What adds to the load of one value. */
interface Share {
  readonly value: string | null;
  readonly calls: readonly (readonly [from: number, to: number])[];
  readonly streams: readonly (readonly [from: number, to: number, Stream])[];
  readonly attempts: readonly number[];
}

const NOTHING: Share = { value: null, calls: [], streams: [], attempts: [] };

function valuesOfStream({ addresses }: Stream): readonly (string | null)[] {
  const sites = [...new Set(addresses.flatMap((ip) => SITE_OF[ip] ?? []))];
  return sites.length === 0 ? [null] : sites;
}

function valuesOfCall(call: RandomCall, by: LoadDimension | undefined): readonly (string | null)[] {
  if (by === undefined) return [null];
  if (by === 'site') return call.streams.length === 0 ? [null] : [...new Set(call.streams.flatMap(valuesOfStream))];
  const values = by === 'trunk' ? call.trunks.filter((trunk) => !trunk.startsWith('hidden-')) : call.frontEnds;
  return values.length === 0 ? [null] : values;
}

function sharesOf(calls: readonly RandomCall[], by: LoadDimension | undefined, seconds: number): readonly Share[] {
  const present = calls.filter(({ began, lasted }) => began < seconds && (lasted === null || lasted > 0 || began >= 0));
  return [...new Set(present.flatMap((call) => valuesOfCall(call, by)))].map((value) => {
    const own = present.filter((call) => valuesOfCall(call, by).includes(value));
    const streams = own.flatMap((call) =>
      call.streams
        .filter((stream) => by !== 'site' || valuesOfStream(stream).includes(value))
        .map(
          (stream) =>
            [
              Math.max(stream.startedAt ?? call.began, call.began),
              Math.min(stream.endedAt ?? Infinity, call.lasted ?? Infinity),
              stream,
            ] as const,
        ),
    );
    return {
      value,
      calls: own.map(({ began, lasted }) => [began, lasted ?? Infinity] as const),
      streams,
      attempts: own.flatMap(({ began }) => (began >= 0 ? [began] : [])),
    };
  });
}

/** The load of each second, by looking at each second. */
function secondsOf(
  { calls, streams }: Share,
  seconds: number,
): readonly (readonly [calls: number, average: number, maximum: number])[] {
  return Array.from({ length: seconds }, (_, at) => {
    const goes = ([from, to]: readonly [number, number, ...unknown[]]): boolean => from <= at && at < to;
    const running = streams.filter((each) => goes([each[0], each[1]]));
    return [
      calls.filter(goes).length,
      running.reduce((sum, [, , { average }]) => sum + average, 0),
      running.reduce((sum, [, , { maximum }]) => sum + maximum, 0),
    ];
  });
}

function chunks<T>(list: readonly T[], length: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / length) }, (_, n) => list.slice(n * length, (n + 1) * length));
}

const iso = (second: number): string => new Date((FROM + second) * 1_000).toISOString();
const most = (numbers: readonly number[]): number => Math.max(0, ...numbers);
const firstMinute = (numbers: readonly number[]): string | null =>
  most(numbers) === 0 ? null : iso(numbers.indexOf(most(numbers)) * 60);
const p95 = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.ceil(0.95 * numbers.length) - 1] ?? 0;
const inMinutes = (attempts: readonly number[], first: number, end: number): readonly number[] =>
  Array.from(
    { length: Math.ceil(end / 60) },
    (_, n) => attempts.filter((at) => at >= Math.max(first, n * 60) && at < Math.min(end, (n + 1) * 60)).length,
  );

function expectedOf(
  share: Share,
  by: LoadDimension | undefined,
  seconds: number,
  bucket: number,
): { readonly whole: LoadOfValue; readonly items: readonly Load[] } {
  const load = secondsOf(share, seconds);
  const minutes = chunks(load, 60).map((minute) => [0, 1].map((n) => most(minute.map((each) => each[n] ?? 0))));
  const [calls, average] = [0, 1].map((n) => minutes.map((minute) => minute[n] ?? 0));
  const { attempts, value } = share;
  const begun = inMinutes(attempts, 0, seconds);
  const isLimited = by === 'trunk' && value === 'north';
  const items = chunks(load, bucket).map((each, n): Load => {
    const end = Math.min(seconds, (n + 1) * bucket);
    return {
      at: iso(n * bucket),
      value,
      calls: most(each.map(([number]) => number)),
      averageBandwidth: most(each.map(([, number]) => number)),
      maximumBandwidth: most(each.map(([, , number]) => number)),
      attempts: attempts.filter((at) => at >= n * bucket && at < end).length,
      attemptsPerSecond: most(inMinutes(attempts, n * bucket, end)) / 60,
    };
  });
  const whole = {
    value,
    peak: { calls: most(calls ?? []), at: firstMinute(calls ?? []) },
    p95: { calls: p95(calls ?? []), averageBandwidth: p95(average ?? []) },
    bandwidthPeak: { averageBandwidth: most(average ?? []), at: firstMinute(average ?? []) },
    attempts: attempts.filter((at) => at < seconds).length,
    attemptsPeak: { perSecond: most(begun) / 60, at: firstMinute(begun) },
    limit: isLimited ? LIMIT : null,
    minutesAboveLimit: isLimited ? (calls ?? []).filter((number) => number > LIMIT).length : null,
  };
  return {
    whole,
    items:
      by === undefined
        ? items
        : items.filter((item) => item.calls + item.attempts + item.averageBandwidth + item.maximumBandwidth > 0),
  };
}

describe('the load by value', () => {
  let under: StoreUnderTest;

  beforeAll(async () => {
    under = await StoreUnderTest.start();
    await under.commit(published(startXml({ callId: 'template', at: '2020-01-01T00:00:00Z' })));
    await under.database.write(async (transaction) => {
      await transaction.query(`update calls set lasted_until = began_at`);
      await transaction.query(`insert into trunk_limits (trunk, calls, changed_by) values ('north', ${LIMIT}, 'a')`);
    });
  });
  afterAll(() => under.stop());

  async function store(calls: readonly RandomCall[]): Promise<void> {
    const time = (second: number | null): string | null => (second === null ? null : iso(second));
    const rows = calls.map(({ began, lasted, trunks, frontEnds, streams }, n) => ({
      call_key: `copy ${n}`,
      began_at: time(began),
      lasted_until: time(lasted),
      front_ends: frontEnds,
      search_keys: trunks.map((trunk) => `trunk:${trunk}`),
      media: streams.map((stream) => ({ ...stream, startedAt: time(stream.startedAt), endedAt: time(stream.endedAt) })),
    }));
    await under.database.write(async (transaction) => {
      await transaction.query(`delete from calls where call_key like 'copy %'`);
      await transaction.query(
        `insert into calls select (jsonb_populate_record(calls, row)).* from calls, jsonb_array_elements($1::jsonb) as row
         where call_key = 'template'`,
        [JSON.stringify(rows)],
      );
    });
  }

  function load(
    seconds: number,
    bucket: number,
    by?: LoadDimension,
    more: { limit?: number; only?: readonly string[] } = {},
  ): Promise<LoadCounts> {
    const buckets = { from: new Date(FROM * 1_000), to: new Date((FROM + seconds) * 1_000), seconds: bucket };
    return loadOf(under.database, SITES, { filter: {}, buckets, by, limit: 200, ...more });
  }

  const byValue = <T extends { readonly value: string | null }>(list: readonly T[]): readonly T[] =>
    list.toSorted((one, other) => String(one.value).localeCompare(String(other.value)));

  it.each([
    [2 * HOUR, 60],
    [2 * HOUR + 45, 90],
    [3 * HOUR, HOUR],
    [2 * HOUR, WEEK],
  ])('is what counting all of %i seconds gives, in buckets of %i', async (seconds, bucket) => {
    for (const calls of sample(randomCalls(seconds), { numRuns: 12, seed: bucket })) {
      await store(calls);
      for (const by of [undefined, 'trunk', 'frontEnd', 'site'] as const) {
        const expected = sharesOf(calls, by, seconds).map((share) => expectedOf(share, by, seconds, bucket));
        const { values, items, valuesLeftOut } = await load(seconds, bucket, by);
        expect(byValue(values)).toEqual(byValue(expected.map(({ whole }) => whole)));
        const filled = expected.length > 0 || by !== undefined ? expected : [expectedOf(NOTHING, by, seconds, bucket)];
        expect(byValue(items)).toEqual(byValue(filled.flatMap((each) => each.items)));
        expect(valuesLeftOut).toBe(0);
        expect(values.map(({ peak }) => peak.calls)).toEqual(
          values.map(({ peak }) => peak.calls).toSorted((one, other) => other - one),
        );
      }
    }
  });

  it('has the values with the most calls, or those that are asked for, also in their hidden form', async () => {
    const call = (trunk: string, began: number): RandomCall => ({
      began,
      lasted: began + 30,
      trunks: [trunk],
      frontEnds: [],
      streams: [],
    });
    const hidden = 'hidden-0123456789abcdef';
    await store([
      call('north', 0),
      call('north', 60),
      call('south', 0),
      call('east', 0),
      call('east', 60),
      call('east', 120),
      call(hidden, 0),
    ]);
    const shown = async (more: object): Promise<unknown> => {
      const { values, valuesLeftOut, items } = await load(HOUR, HOUR, 'trunk', more);
      const withCalls = values.filter(({ attempts }) => attempts > 0);
      expect(items.map(({ value }) => value)).toEqual(withCalls.map(({ value }) => value));
      return [values.map(({ value, attempts }) => `${value} ${attempts}`), valuesLeftOut];
    };
    expect(await shown({ limit: 2 })).toEqual([['east 3', 'north 2'], 2]);
    expect(await shown({ limit: 1, also: ['south'] })).toEqual([['east 3', 'south 1'], 2]);
    expect(await shown({ only: ['south', 'nowhere'] })).toEqual([['south 1', 'nowhere 0'], 0]);
    expect(await shown({ only: [hidden] })).toEqual([[`${hidden} 1`], 0]);
  });
});
