import { Fault } from '@ringdown/web-server/errors';

/** Requests of one user that may be processed at the same time, over all batches of this replica. */
const MAX_OUTSTANDING = 100;

/** Counts the requests in progress for each user. */
export class Outstanding {
  private readonly counts = new Map<string, number>();

  /**
   * Throws {@link Fault} `too-many-requests`, before any request is processed, when the user would have too many at
   * once.
   */
  async during<T>(username: string, count: number, work: () => Promise<T>): Promise<T> {
    const now = (this.counts.get(username) ?? 0) + count;
    if (now > MAX_OUTSTANDING) {
      const message = `At most ${MAX_OUTSTANDING} requests may be in progress in batches; this batch was not processed.`;
      throw new Fault('too-many-requests', { message, headers: { 'retry-after': '1' } });
    }
    this.counts.set(username, now);
    try {
      return await work();
    } finally {
      const left = (this.counts.get(username) ?? 0) - count;
      if (left > 0) this.counts.set(username, left);
      else this.counts.delete(username);
    }
  }
}
