import { collectorAddress, RecordSender, SEND_ONCE } from '@ringdown/feed-client';
import { eventually } from '@ringdown/testing/eventually';
import { defaultProfile } from '@ringdown/vendor-profile';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportFault, faultRepetitions } from './report.js';
import { NOTHING_WRONG, WholeFeed } from './whole-feed.js';

/** As many records as one post may contain. */
const AT_ONCE = 64;
const BATCHES_BETWEEN_KILLS = 5;
/** A batch takes some milliseconds: each kill is a little later in it than the one before. */
const KILL_STEP_MS = 3;

function callStartRecord(callId: string): DiagnosticsRecord {
  const ends = { from: { id: 'a', uri: 'sip:anna@example.test' }, to: { id: 'b', uri: 'sip:ben@example.test' } };
  return {
    version: '1.0',
    connection: { callId, frontEnds: ['batches'], timeStamp: '2026-03-02T10:00:00.0000000Z' },
    events: [{ kind: 'startOrUpdate', mediaType: 'audio', ...ends, codecs: [] }],
  };
}

describe('records that were posted in batches by a sender with retries', () => {
  let feed: WholeFeed;
  let sender: RecordSender;
  let retries = 0;

  beforeAll(async () => {
    feed = await WholeFeed.start();
    // Its records come one by one.
    await feed.load.stop();
    sender = new RecordSender({
      address: collectorAddress(feed.collector.base, defaultProfile),
      frontEnd: 'batches',
      profile: defaultProfile,
      persistence: { ...SEND_ONCE, maxRetry: 10_000, maxBackoffMs: 1_000 },
      onRetry: () => retries++,
    });
    await sender.open();
  });
  afterAll(async () => {
    sender.close();
    await feed.stop();
  });

  async function killAfter(ms: number): Promise<void> {
    await sleep(ms);
    await feed.collector.kill();
    await feed.collector.launch();
  }

  it('are in the database, each once, after the collector was killed in the middle of batches', async () => {
    const { load } = feed;
    const tries = faultRepetitions(20);
    const sent: string[] = [];
    const outcomes = new Set<string>();
    for (let batch = 1; batch <= (tries + 1) * BATCHES_BETWEEN_KILLS; batch++) {
      const some = Array.from({ length: AT_ONCE }, (_, n) => `batch-${batch}-${n}`);
      const isKilled = batch % BATCHES_BETWEEN_KILLS === 0 && sent.length < tries * BATCHES_BETWEEN_KILLS * AT_ONCE;
      const killing = isKilled ? killAfter((batch / BATCHES_BETWEEN_KILLS) * KILL_STEP_MS) : Promise.resolve();
      for (let next = 0; next < some.length;) {
        const deliveries = await sender.sendBatch(some.slice(next).map(callStartRecord));
        for (const { outcome } of deliveries) outcomes.add(outcome);
        next += deliveries.length;
      }
      await killing;
      sent.push(...some);
    }
    const stored = await eventually('all calls in the database', async () => {
      const found = await feed.stored();
      return sent.every((callId) => found.has(callId)) ? found : undefined;
    });
    const posted = new Set([...sent, ...load.acknowledged, ...load.unknown]);
    const outcome = {
      lost: sent.filter((callId) => !stored.has(callId)),
      double: sent.filter((callId) => stored.get(callId) !== true),
      foreign: [...stored.keys()].filter((callId) => !posted.has(callId)),
    };
    reportFault('kill of the collector in the middle of batches', tries, sent.length, outcome);
    expect([...outcomes]).toEqual(['answered']);
    expect(outcome).toEqual(NOTHING_WRONG);
    // The kills had an effect.
    expect(retries).toBeGreaterThan(0);
  });
});
