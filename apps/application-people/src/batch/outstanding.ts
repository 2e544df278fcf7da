import { KeyedSlots } from '@ringdown/concurrency';
import { Fault } from '@ringdown/web-server/errors';

/** Requests of one user that may be processed at the same time, over all batches of this replica. */
const MAX_OUTSTANDING = 100;

/** Counts the requests in progress for each user. */
export class Outstanding {
  private readonly slots = new KeyedSlots(MAX_OUTSTANDING);

  /**
   * Throws {@link Fault} `too-many-requests`, before any request is processed, when the user would have too many at
   * once.
   */
  async during<T>(username: string, count: number, work: () => Promise<T>): Promise<T> {
    const release = this.slots.acquire(username, count);
    if (release === undefined) {
      const message = `At most ${MAX_OUTSTANDING} requests may be in progress in batches; this batch was not processed.`;
      throw new Fault('too-many-requests', { message, headers: { 'retry-after': '1' } });
    }
    try {
      return await work();
    } finally {
      release();
    }
  }
}
