import type { Delivery } from '@ringdown/feed-client';
import { eventually } from '@ringdown/testing/eventually';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { setTimeout as pause } from 'node:timers/promises';
import { RecordQueue } from './record-queue.js';

const ANSWERED: Delivery = { outcome: 'answered', cseq: 1, count: 1 };

function record(callId: string): DiagnosticsRecord {
  return { connection: { callId, frontEnds: [] }, events: [] };
}

/** Keeps the posts, and sends `atOnce` records in each. */
function queueWith({ acceptsBatches = true, atOnce = 64, limit = 1_000, gatherMs = 60_000 } = {}): {
  readonly queue: RecordQueue;
  readonly posts: (readonly string[])[];
  readonly outcomes: string[];
} {
  const posts: (readonly string[])[] = [];
  const outcomes: string[] = [];
  const sendBatch = async (records: readonly DiagnosticsRecord[]): Promise<readonly Delivery[]> => {
    const sent = records.slice(0, atOnce);
    posts.push(sent.map(({ connection }) => connection.callId));
    await pause(1);
    return sent.map(() => ANSWERED);
  };
  const queue = new RecordQueue({
    sender: { acceptsBatches, sendBatch },
    limit,
    gatherMs,
    onDelivery: ({ connection }, { outcome }) => outcomes.push(`${connection.callId} ${outcome}`),
  });
  return { queue, posts, outcomes };
}

describe('RecordQueue', () => {
  it('sends the first record at once, and what came meanwhile in one post', async () => {
    const { queue, posts, outcomes } = queueWith();
    for (const callId of ['a', 'b', 'c']) queue.enqueue(record(callId));
    expect(posts).toEqual([['a']]);
    await queue.idle();
    expect(posts).toEqual([['a'], ['b', 'c']]);
    expect(outcomes).toEqual(['a answered', 'b answered', 'c answered']);
    expect(queue.length).toBe(0);
  });

  it('sends what did not fit into one post in the next ones, in order', async () => {
    const { queue, outcomes } = queueWith({ atOnce: 3 });
    const calls = Array.from({ length: 200 }, (_, n) => `call-${n}`);
    for (const callId of calls) queue.enqueue(record(callId));
    await queue.idle();
    expect(outcomes).toEqual(calls.map((callId) => `${callId} answered`));
  });

  it('waits a moment for further records after a post', async () => {
    const { queue, posts } = queueWith({ gatherMs: 1_000 });
    queue.enqueue(record('a'));
    await eventually('the first post', () => posts.length === 1 && queue.length === 0);
    queue.enqueue(record('b'));
    await pause(20);
    queue.enqueue(record('c'));
    expect(posts).toEqual([['a']]);
    await eventually('the second post', () => queue.length === 0);
    expect(posts).toEqual([['a'], ['b', 'c']]);
  });

  it('does not wait when a batch is full, nor when a short queue fills', async () => {
    for (const limit of [1_000, 40]) {
      const { queue, outcomes } = queueWith({ limit });
      queue.enqueue(record('first'));
      await eventually('the first post', () => queue.length === 0);
      for (let n = 0; n < Math.min(64, limit / 4); n++) queue.enqueue(record(`${n}`));
      await eventually('the next post', () => queue.length === 0);
      expect(outcomes.filter((outcome) => outcome.endsWith('dropped'))).toEqual([]);
    }
  });

  it('does not wait for further records when the collector reads one for each post', async () => {
    const { queue, posts } = queueWith({ acceptsBatches: false, atOnce: 1 });
    for (const callId of ['a', 'b', 'c']) queue.enqueue(record(callId));
    await eventually('all posts', () => queue.length === 0);
    expect(posts).toEqual([['a'], ['b'], ['c']]);
  });

  it('drops and counts records beyond its limit', async () => {
    const { queue, outcomes } = queueWith({ limit: 2 });
    for (const callId of ['a', 'b', 'c']) queue.enqueue(record(callId));
    await queue.idle();
    expect(outcomes.toSorted()).toEqual(['a answered', 'b answered', 'c dropped']);
  });
});
