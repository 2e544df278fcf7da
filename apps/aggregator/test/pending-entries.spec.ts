import { movePendingEntries } from '../src/store/calls/pending-entries.js';
import { published, startXml } from './feed-examples.js';
import { StoreUnderTest } from './store-under-test.js';

describe('new entries of text indexes', () => {
  it('are moved to their places, once', async () => {
    const store = await StoreUnderTest.start();
    try {
      await store.commit(published(startXml({ callId: 'one' })));
      expect(await movePendingEntries(store.database)).toBeGreaterThan(0);
      expect(await movePendingEntries(store.database)).toBe(0);
    } finally {
      await store.stop();
    }
  });
});
