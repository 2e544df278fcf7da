import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportFault } from './report.js';
import { NOTHING_WRONG, WholeFeed } from './whole-feed.js';

/** `npm run test:faults` uses the whole minute; the outage of a test run is shorter. */
const OUTAGE_SECONDS = Number(process.env['RINGDOWN_OUTAGE_SECONDS'] ?? 10);
const WARN = 40;
/** Log lines about one outage: from the readers of records, messages and failures, the leases, the sweep, the live stream, the connection. */
const MOST_LINES = 18;

jest.setTimeout(300_000 + OUTAGE_SECONDS * 2_000);

describe(`an outage of ${OUTAGE_SECONDS} seconds`, () => {
  let feed: WholeFeed;

  beforeAll(async () => {
    feed = await WholeFeed.start();
  });
  afterAll(() => feed.stop());

  it('of the database does not reject records, of the bus does, and both recover without help', async () => {
    const { load, collector, aggregator } = feed;
    await feed.storesOn(50);
    await feed.database.kill();
    const [warnings, answered, refused] = [aggregator.log(WARN).length, load.acknowledged.size, load.unknown.size];
    await sleep(OUTAGE_SECONDS * 1_000);
    await load.untilAcknowledged(50);
    expect(load.acknowledged.size).toBeGreaterThan(answered);
    expect(load.unknown.size).toBe(refused);
    expect(
      aggregator
        .log(WARN)
        .slice(warnings)
        .map(({ msg }) => msg)
        .slice(MOST_LINES),
    ).toEqual([]);
    await feed.database.restart();

    await feed.storesOn(50);
    await feed.bus.kill();
    const before = [collector, aggregator].map((service) => service.log(WARN).length);
    await load.untilRejected(4);
    await sleep(OUTAGE_SECONDS * 1_000);
    await load.untilRejected(4);
    expect([...load.rejections.keys()]).toEqual(['503, retry after 2']);
    for (const [index, service] of [collector, aggregator].entries()) {
      expect(
        service
          .log(WARN)
          .slice(before[index])
          .map(({ msg }) => msg)
          .slice(MOST_LINES),
      ).toEqual([]);
    }
    await feed.bus.restart();
    await load.untilAcknowledged(50);
    const outcome = await feed.outcome();
    reportFault(`outage of ${OUTAGE_SECONDS} s of database, then bus`, 2, load.acknowledged.size, outcome);
    expect(outcome).toEqual(NOTHING_WRONG);
  });
});
