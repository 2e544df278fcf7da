import { reportFault, faultRepetitions } from './report.js';
import { NOTHING_WRONG, WholeFeed } from './whole-feed.js';

describe('records that were acknowledged with 200', () => {
  let feed: WholeFeed;

  beforeAll(async () => {
    feed = await WholeFeed.start();
  });
  afterAll(() => feed.stop());

  it('are in the database, each once, after collector, aggregator, bus and database were killed in turn', async () => {
    const { load, collector, aggregator } = feed;
    const kills = [
      () => collector.kill().then(() => collector.launch()),
      () => aggregator.kill().then(() => aggregator.launch()),
      () => feed.bus.kill().then(() => feed.bus.restart()),
      () => feed.database.kill().then(() => feed.database.restart()),
    ];
    const tries = faultRepetitions(5);
    for (let round = 0; round < tries; round++) {
      for (const kill of kills) {
        await feed.storesOn(50);
        await kill();
      }
    }
    await load.untilAcknowledged(50);
    const outcome = await feed.outcome();
    reportFault(
      'kill of collector, aggregator, bus and database',
      tries * kills.length,
      load.acknowledged.size,
      outcome,
    );
    expect(outcome).toEqual(NOTHING_WRONG);
    // The load shows that the kills had an effect.
    expect(load.acknowledged.size).toBeGreaterThanOrEqual(250);
    expect(load.unknown.size).toBeGreaterThan(0);
  });
});
