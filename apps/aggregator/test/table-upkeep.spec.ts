import { eventually } from '@ringdown/testing';
import { published, startXml } from './feed-examples.js';
import { copyCalls, StoreUnderTest } from './store-under-test.js';

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
    // The database counts changed rows up to a second after the change, perhaps once more after the first ANALYZE.
    await eventually('the end of the changes', async () => (await store.upkeep.analyzeChanged()).length === 0);
    await copyCalls(store.database, 50, `'call_key', 'few ' || n`);
    expect(await store.upkeep.analyzeChanged()).toEqual([]);
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
