import { jest } from '@jest/globals';
import { Dice } from '@ringdown/testing/fuzz/dice';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultRepetitions, reportFault } from './report.js';
import { NOTHING_WRONG, WholeFeed } from './whole-feed.js';

/** Each process waits for the lease of the one before it. */
jest.setTimeout(1_200_000);

/** Groups of batches follow one another within this time. */
const LONGEST_MS = 250;
const LEAST_KILLS = 3;

describe('records of all partitions that are stored in groups', () => {
  let feed: WholeFeed;

  beforeAll(async () => {
    feed = await WholeFeed.start();
  });
  afterAll(() => feed.stop());

  it('are in the database, each once, after the aggregator was killed at random times', async () => {
    const { load, aggregator } = feed;
    const dice = new Dice(43);
    const tries = Math.max(LEAST_KILLS, faultRepetitions(20));
    for (let kill = 0; kill < tries; kill++) {
      await load.untilAcknowledged(20);
      // Records that are read a few at a time after a kill would count as copies if the next kill came before their end.
      await feed.storesAll();
      await sleep(dice.below(LONGEST_MS));
      await aggregator.kill();
      await aggregator.launch();
    }
    await feed.storesOn(20);
    const outcome = await feed.outcome();
    reportFault('kill of the aggregator in the middle of groups', tries, load.acknowledged.size, outcome);
    expect(outcome).toEqual(NOTHING_WRONG);
    expect(load.acknowledged.size).toBeGreaterThanOrEqual(20 * tries);
  });
});
