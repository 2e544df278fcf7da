import type { CallSort } from '../src/store/calls/call-orders.js';
import type { CallFilter } from '../src/search/filter/call-filter.js';
import { readCallPage, type PagePosition } from '../src/store/calls/call-page.js';
import { published, startXml } from './feed-examples.js';
import { copyCalls, StoreUnderTest } from './store-under-test.js';

const CALLS = 4_000;
/** A call in each quarter of an hour of the last 42 days, so that a search has four stretches of time. */
const VALUES = `'began_at', began_at - n * interval '15 minutes', 'call_bytes', null, 'call', jsonb_build_object('callId', 'copy ' || n,
    'ringSeconds', n % 97, 'beganAt', to_char((began_at - n * interval '15 minutes') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
  'ring_seconds', n % 97, 'shown_text', 'call ' || n || ' of hundred ' || n / 100,
  'search_keys', jsonb_build_array('user:' || n, 'site:' || n % 2, 'codec:' || n % 40,
    'trunk:' || case when n > 3200 then 'old' else 'new' end)`;

/** Which copies are found, by their numbers. */
const SEARCHES: readonly (readonly [string, CallFilter, (n: number) => boolean])[] = [
  ['one has', { searchKeys: [['user:1234']] }, (n) => n === 1_234],
  ['none has', { searchKeys: [['user:nobody']] }, () => false],
  ['a hundred have', { searchKeys: [['codec:7']] }, (n) => n % 40 === 7],
  ['half have', { searchKeys: [['site:1']] }, (n) => n % 2 === 1],
  ['only the oldest have', { searchKeys: [['trunk:old']] }, (n) => n > 3_200],
  ['all have, in part', { words: ['of hundred'] }, () => true],
  ['a hundred have in a text', { words: ['hundred 31'] }, (n) => n >= 3_100 && n < 3_200],
];

describe('the pages of a search for what', () => {
  let store: StoreUnderTest;

  beforeAll(async () => {
    store = await StoreUnderTest.start();
    await store.commit(published(startXml({ callId: 'one', at: new Date().toISOString() })));
    await copyCalls(store.database, CALLS, VALUES);
    await store.database.write((transaction) =>
      transaction.query(`delete from calls where call_key not like 'copy %'`),
    );
    await store.renewStatistics();
  });
  afterAll(() => store.stop());

  async function allPages(filter: CallFilter, sort: CallSort, limit: number): Promise<readonly string[]> {
    const found: string[] = [];
    let after: PagePosition | undefined;
    do {
      const page = await store.database.read((transaction) => readCallPage(transaction, filter, sort, limit, after));
      found.push(...page.calls.map(({ callId }) => callId));
      after = page.next;
    } while (after !== undefined);
    return found;
  }

  describe.each(SEARCHES)('%s', (_what, filter, isFound) => {
    const expected = Array.from({ length: CALLS }, (_each, n) => n + 1).filter(isFound);
    const ids = (numbers: readonly number[]): readonly string[] => numbers.map((n) => `copy ${n}`);

    it('have each call once, the newest first', async () => {
      expect(await allPages(filter, 'newest', 200)).toEqual(ids(expected));
    });

    it('have each call once, the oldest first', async () => {
      expect(await allPages(filter, 'oldest', 200)).toEqual(ids(expected.toReversed()));
    });

    it('have each call once, which rang longest first', async () => {
      const found = await allPages(filter, '-ringSeconds', 200);
      const seconds = found.map((id) => Number(id.slice('copy '.length)) % 97);
      expect(seconds).toEqual(seconds.toSorted((one, other) => other - one));
      expect(found.toSorted()).toEqual(ids(expected).toSorted());
    });
  });
});
