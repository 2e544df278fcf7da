import * as fc from 'fast-check';
import { callIdIn, published, startXml } from './feed-examples.js';
import { StoreUnderTest } from './store-under-test.js';
import { partyKey } from '../src/calls/call-keys.js';
import { searchKey } from '../src/calls/search-keys.js';
import type { CallFilter } from '../src/store/call-filter.js';
import type { PagePosition } from '../src/store/call-page.js';
import { CallQueries } from '../src/store/call-queries.js';

const DAY_MS = 86_400_000;
const NOW = Date.now();
/** Days ago, several on one of them: within a week, weeks apart, months apart, and one of a clock that is ahead. */
const BEGINNINGS = [-3, 0.5, 1, 1, 1, 6.9, 7.1, 9, 20, 27.9, 28.1, 35, 35, 90, 91, 200, 201, 202, 400];
const ROLES = ['anna', 'emil'] as const;

describe('pages of calls that are found by what they have', () => {
  let on: StoreUnderTest;
  let queries: CallQueries;
  const begins = new Map<string, { readonly user: string; readonly at: number }>();

  beforeAll(async () => {
    on = await StoreUnderTest.start();
    queries = new CallQueries(on.database);
    const records = BEGINNINGS.flatMap((days, n) =>
      ROLES.map((user) => {
        const callId = callIdIn(0, `${user}-${n}-`);
        const at = NOW - days * DAY_MS;
        begins.set(callId, { user, at });
        return published(startXml({ callId, from: user, at: new Date(at).toISOString() }));
      }),
    );
    await on.commit(...records);
  });
  afterAll(() => on.stop());

  const walk = async (filter: CallFilter, sort: 'newest' | 'oldest', limit: number): Promise<readonly string[]> => {
    const found: string[] = [];
    let after: PagePosition | undefined;
    do {
      const page = await queries.page(filter, sort, limit, after);
      expect(page.calls.length).toBeLessThanOrEqual(limit);
      found.push(...page.calls.map(({ callId }) => callId));
      after = page.next;
    } while (after !== undefined);
    return found;
  };

  const expected = (user: string, { from, to }: CallFilter, sort: 'newest' | 'oldest'): readonly string[] => {
    const ids = [...begins]
      .filter(([, call]) => call.user === user)
      .filter(([, { at }]) => (from === undefined || at >= from.getTime()) && (to === undefined || at < to.getTime()))
      .toSorted(([idA, a], [idB, b]) => a.at - b.at || (idA < idB ? -1 : 1))
      .map(([id]) => id);
    return sort === 'oldest' ? ids : ids.toReversed();
  };

  it('hold every call once, in order, however far apart they are and wherever the search begins and ends', async () => {
    const daysAgo = fc.option(fc.integer({ min: -10, max: 420 }), { nil: undefined });
    const asked = fc.record({
      user: fc.constantFrom(...ROLES),
      sort: fc.constantFrom('newest' as const, 'oldest' as const),
      limit: fc.constantFrom(1, 2, 5, 50),
      from: daysAgo,
      to: daysAgo,
    });
    const time = (days: number | undefined): Date | undefined =>
      days === undefined ? undefined : new Date(NOW - days * DAY_MS);
    await fc.assert(
      fc.asyncProperty(asked, async ({ user, sort, limit, from, to }) => {
        const times = { from: time(from), to: time(to) };
        const filter = { ...times, searchKeys: [[searchKey('user', partyKey(`sip:${user}@example.test`))]] };
        expect(await walk(filter, sort, limit)).toEqual(expected(user, filter, sort));
      }),
      { numRuns: 60 },
    );
  });

  it('are empty where nobody has such a call', async () => {
    const filter = { searchKeys: [[searchKey('user', partyKey('sip:nobody@example.test'))]] };
    for (const sort of ['newest', 'oldest'] as const) expect(await walk(filter, sort, 5)).toEqual([]);
  });
});
