import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportFault, faultRepetitions } from './report.js';
import { NOTHING_WRONG, WholeFeed } from './whole-feed.js';

/** Each try starts the aggregator six times, which takes up to half a minute on a busy machine. */
jest.setTimeout(1_800_000);

const KILLS = 3;
const WARN = 40;
/** Before, 416 records took a minute. */
const RECORDS = 416;
const MOST_MS = 30_000;

describe('an aggregator that was killed several times', () => {
  let feed: WholeFeed;

  beforeAll(async () => {
    feed = await WholeFeed.start();
  });
  afterAll(() => feed.stop());

  const setAside = (): Promise<number> =>
    feed.aggregator.metric('ringdown_aggregator_records_total{outcome="set_aside"}');

  it('with nothing to read, then reads at full speed; with records to read, sets none aside', async () => {
    const { load, aggregator } = feed;
    const suspects = (): number =>
      aggregator.log(WARN).filter(({ msg }) => msg.includes('reading few at a time')).length;
    const tries = faultRepetitions(5);
    for (let round = 0; round < tries; round++) {
      await load.untilAcknowledged(20);
      await load.pause();
      await feed.storesAll();
      const before = suspects();
      for (let kills = 0; kills < KILLS; kills++) {
        await aggregator.kill();
        await aggregator.launch();
        // It reads its partitions.
        await sleep(1_500);
      }
      load.resume();
      await load.untilAcknowledged(RECORDS);
      await load.pause();
      const since = performance.now();
      await feed.storesAll();
      expect(performance.now() - since).toBeLessThan(MOST_MS);
      expect(suspects()).toBe(before);
      load.resume();
      // In the middle of batches.
      for (let kills = 0; kills < KILLS; kills++) {
        await sleep(300 + 200 * kills);
        await aggregator.kill();
        await aggregator.launch();
      }
      await feed.storesOn(50);
      expect(await setAside()).toBe(0);
    }
    const outcome = await feed.outcome();
    reportFault(
      'kills of the aggregator in a row, idle and reading',
      tries * KILLS * 2,
      load.acknowledged.size,
      outcome,
    );
    expect(outcome).toEqual(NOTHING_WRONG);
  });
});
