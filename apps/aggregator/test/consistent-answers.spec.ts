import * as fc from 'fast-check';
import type { Call } from '../src/calls/call.js';
import { CALL_FIELD_NAMES, KEYED_FIELDS, SUGGESTED_FIELDS } from '@ringdown/call-catalogue/fields';
import type { CallTotal } from '../src/store/calls/call-total.js';
import { DIMENSIONS } from '@ringdown/call-catalogue/filters';
import type { Count, Counts } from '../src/store/statistics/statistics.js';
import type { Suggestion } from '@ringdown/answers/searches';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { published } from './feed-examples.js';
import { generatedRecords, type SchemaVersion } from './generated-leaves.js';

/** More: `ANSWER_RECORDS=60 ANSWER_SEED=11 npm run test:some -- consistent-answers`. */
const RECORDS = Number(process.env['ANSWER_RECORDS'] ?? 18);
const SEED = Number(process.env['ANSWER_SEED'] ?? 7);
const RECORDS_OF_CALL = 3;
const VERSIONS: readonly SchemaVersion[] = ['1.0', 'A', 'C', 'D'];
/** All calls of the test are in it, in few buckets. */
const YEAR = 'from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z&bucketSeconds=2678400&limit=200';

/** One value of a parameter. */
interface Term {
  readonly field: string;
  readonly value: string;
}

describe('answers about calls of all schema versions', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;
  let terms: readonly Term[];

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator({ API_REQUESTS_PER_MINUTE: '1000000' });
    const records = VERSIONS.flatMap((version) =>
      generatedRecords(version, RECORDS, SEED).map(({ xml }, index) => {
        const callId = `${version}-${Math.floor(index / RECORDS_OF_CALL)}@host.example.test`;
        return { callId, xml: xml.replace(/<CallId>[^<]*/, `<CallId>${callId}`) };
      }),
    );
    await around.publish(...records.map(({ xml }) => published(xml)));
    for (const id of new Set(records.map(({ callId }) => callId))) {
      const expected = records.filter(({ callId }) => callId === id).length;
      await around.call(aggregator, encodeURIComponent(id), ({ records: stored }) => stored.length === expected);
    }
    terms = await termsOf(around.operator);
  });
  afterAll(() => around.stop());

  async function get<T>(path: string, token = around.operator): Promise<T> {
    const { status, body } = await aggregator.get<T>(path, token);
    expect({ path, status, body: status === 200 ? undefined : body }).toEqual({ path, status: 200, body: undefined });
    return body;
  }

  const suggested = async (field: string, token: string): Promise<readonly Suggestion[]> =>
    (await get<{ items: readonly Suggestion[] }>(`/api/suggest?field=${field}&limit=200`, token)).items;

  /** Values that calls have, of all fields of which values are suggested or counted. */
  async function termsOf(token: string): Promise<readonly Term[]> {
    const found: Term[] = [];
    for (const field of SUGGESTED_FIELDS)
      for (const { text } of await suggested(field, token)) found.push({ field, value: text });
    for (const field of KEYED_FIELDS) {
      const { items } = await get<Counts>(`/api/statistics/streams?by=${field}&${YEAR}`, token);
      for (const { value } of items) if (value !== null) found.push({ field, value });
    }
    for (const value of ['invited', 'active', 'ended', 'failed', 'expired']) found.push({ field: 'state', value });
    for (const value of ['good', 'poor', 'bad', 'unknown']) found.push({ field: 'verdict', value });
    return found;
  }

  const parameter = ({ field, value }: Term, not = ''): string => `${not}${field}=${encodeURIComponent(value)}`;

  const calls = (query: string, token = around.operator): Promise<readonly Call[]> =>
    aggregator.all<Call>(`/api/calls?limit=7&${query}`, token);

  const idsOf = async (query: string): Promise<readonly string[]> =>
    (await calls(query)).map(({ callId }) => callId).toSorted();

  const totalOf = async (query: string, token = around.operator): Promise<CallTotal> =>
    get<CallTotal>(`/api/statistics/total?${query}`, token);

  /** Filters that exclude each other are rejected and of no interest here. */
  const filters = (): fc.Arbitrary<string> =>
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...terms), fc.constantFrom('', '', 'not.')), {
        maxLength: 3,
        selector: ([{ field }]) => field,
      })
      .map((chosen) => chosen.map(([term, not]) => parameter(term, not)).join('&'));

  const forAny = (property: (filter: string, term: Term) => Promise<void>): Promise<void> =>
    fc.assert(
      fc.asyncProperty(
        filters().chain((filter) => fc.tuple(fc.constant(filter), fc.constantFrom(...terms))),
        ([filter, term]) => property(filter, term),
      ),
      { numRuns: RECORDS, seed: SEED },
    );

  it('have values of most fields that calls are found by', () => {
    const fields = new Set(terms.map(({ field }) => field));
    expect(CALL_FIELD_NAMES.filter((field) => fields.has(field)).length).toBeGreaterThan(CALL_FIELD_NAMES.length * 0.7);
  });

  it('list each call once and as many as the total of the search', async () => {
    await forAny(async (filter) => {
      const ids = await idsOf(filter);
      expect(new Set(ids).size).toBe(ids.length);
      expect(await totalOf(filter)).toEqual({ calls: ids.length, exact: true });
    });
  });

  it('divide the calls of a search into those with a value and those without it', async () => {
    await forAny(async (filter, term) => {
      fc.pre(!filter.includes(`${term.field}=`));
      const [all, having, others] = await Promise.all([
        idsOf(filter),
        idsOf(`${filter}&${parameter(term)}`),
        idsOf(`${filter}&${parameter(term, 'not.')}`),
      ]);
      expect([...having, ...others].toSorted()).toEqual(all);
    });
  });

  it('have the same calls as tables', async () => {
    const headers = { authorization: `Bearer ${around.operator}` };
    await forAny(async (filter) => {
      const listed = await calls(filter);
      const table = await (await fetch(`${aggregator.origin}/api/calls.csv?${filter}`, { headers })).text();
      const rows = table.split('\r\n').slice(1, -1);
      expect(rows.map((row) => row.split(',').slice(0, 6).join(','))).toEqual(
        listed.map(({ callId, state, endReason, beganAt, endedAt, duration }) =>
          [callId, state, endReason, beganAt, endedAt, duration?.seconds].map((value) => value ?? '').join(','),
        ),
      );
    });
  });

  it.each([
    ['users are shown', 'operator'],
    ['users are hidden', 'plainOperator'],
  ] as const)('suggest values with the number of calls that the filter finds, when %s', async (_what, operator) => {
    const token = around[operator];
    for (const field of SUGGESTED_FIELDS) {
      for (const { text, calls: expected } of await suggested(field, token)) {
        const { calls: found } = await totalOf(parameter({ field, value: text }), token);
        expect({ field, text, found }).toEqual({ field, text, found: expected });
      }
    }
  });

  describe('in statistics', () => {
    const sum = (items: readonly Count[], key: 'calls' | 'streams'): number =>
      items.reduce((total, item) => total + item[key], 0);
    const countedOf = async (query: string): Promise<readonly Count[]> =>
      (await get<Counts>(`/api/statistics/streams?${YEAR}&${query}`)).items;

    it('count every call once, and every stream under one verdict', async () => {
      const everything = await countedOf('');
      expect(sum(everything, 'calls')).toBe((await totalOf('')).calls);
      for (const { good, poor, bad, unknown, streams } of everything) expect(good + poor + bad + unknown).toBe(streams);
    });

    it.each(DIMENSIONS)('leave out no call and no stream when divided by %s', async (by) => {
      const [everything, items] = [await countedOf(''), await countedOf(`by=${by}`)];
      // Once for each of its values, and under null without one.
      expect(sum(items, 'streams')).toBeGreaterThanOrEqual(sum(everything, 'streams'));
      expect(sum(items, 'calls')).toBeGreaterThanOrEqual(sum(everything, 'calls'));
    });

    it.each(['medium', 'codec'])('count each stream once when divided by %s', async (by) => {
      expect(sum(await countedOf(`by=${by}`), 'streams')).toBe(sum(await countedOf(''), 'streams'));
    });

    it.each(DIMENSIONS.filter((by) => by !== 'site' && by !== 'subnet'))(
      'count as many calls with each value of %s as a search finds',
      async (by) => {
        const items = await countedOf(`by=${by}`);
        for (const value of new Set(items.flatMap((item) => item.value ?? []))) {
          const having = items.filter((item) => item.value === value);
          const { calls: found } = await totalOf(parameter({ field: by, value }));
          expect({ value, calls: sum(having, 'calls') }).toEqual({ value, calls: found });
        }
      },
    );
  });
});
