import { callIdIn, endXml, published, startXml } from './feed-examples.js';
import { StoreUnderTest } from './store-under-test.js';
import type { CallTotal } from '../src/store/calls/call-total.js';
import type { CallFilter } from '../src/search/filter/call-filter.js';
import { CallQueries } from '../src/store/calls/call-queries.js';
import { Statistics } from '../src/store/statistics/statistics.js';

describe('the total of a search', () => {
  let on: StoreUnderTest;

  beforeAll(async () => {
    on = await StoreUnderTest.start();
    const ids = ['one', 'two', 'three'].map((name) => callIdIn(0, name));
    await on.commit(...ids.map((callId) => published(startXml({ callId }))));
    await on.commit(published(endXml({ callId: ids[0] ?? '' })));
  });
  afterAll(() => on.stop());

  const totalOf = (filter: CallFilter): Promise<CallTotal> =>
    new Statistics(on.database, { subnets: [] }).total(filter);

  /** Copies of the stored calls. */
  async function copy(times: number): Promise<void> {
    await on.database.write(async (transaction) => {
      const { rows } = await transaction.query<{ names: string }>(
        `select string_agg(attname, ', ') as names from pg_attribute
         where attrelid = 'calls'::regclass and attnum > 0 and not attisdropped and attname <> 'call_key'`,
      );
      const names = rows[0]?.names ?? '';
      await transaction.query(
        `insert into calls (call_key, ${names}) select call_key || n, ${names} from calls, generate_series(1, ${times}) n`,
      );
    });
    await on.database.write((transaction) => transaction.query('analyze calls'));
  }

  it('is exact for a few calls', async () => {
    expect(await totalOf({})).toEqual({ calls: 3, exact: true });
    expect(await totalOf({ states: ['ended'] })).toEqual({ calls: 1, exact: true });
    expect(await totalOf({ states: ['failed'] })).toEqual({ calls: 0, exact: true });
  });

  it('is in a snapshot of calls in progress, by state, verdict and front end if not all fit', async () => {
    const queries = new CallQueries(on.database);
    const numbers = { states: { active: 2 }, verdicts: { unknown: 2 }, frontEnds: { 'fe1.example.test': 2 } };
    expect(await queries.inProgress(1)).toEqual({ calls: [expect.anything()], total: 2, counts: numbers });
    expect(await queries.inProgress(2)).toMatchObject({ total: 2, counts: numbers });
    const whole = await queries.inProgress(3);
    expect([whole.total, whole.counts]).toEqual([2, undefined]);
  });

  it('is exact up to 10,000, and estimated for more', async () => {
    await copy(4_999);
    expect(await totalOf({ states: ['ended'] })).toEqual({ calls: 5_000, exact: true });
    expect(await totalOf({ states: ['active'] })).toEqual({ calls: 10_000, exact: true });
    const { calls, exact } = await totalOf({});
    expect(exact).toBe(false);
    expect(calls).toBeGreaterThan(13_000);
    expect(calls).toBeLessThan(17_000);
  });
});
