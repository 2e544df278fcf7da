import { jest } from '@jest/globals';
import type { LogLine } from '@ringdown/testing/service-process';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportFault } from './report.js';
import { NOTHING_WRONG, WholeFeed } from './whole-feed.js';

/** `npm run test:faults` uses the whole minute; the outage of a test run is shorter. */
const OUTAGE_SECONDS = Number(process.env['RINGDOWN_OUTAGE_SECONDS'] ?? 10);
const WARN = 40;
/** Each connection of the pool is lost once. */
const CONNECTIONS = 20;

jest.setTimeout(300_000 + OUTAGE_SECONDS * 2_000);

/** Of one message, at most one line in this time (`RateLimitedLog`; `OutageLog` pauses for longer). */
const PAUSE_MS = 10_000;

/** The messages that were logged too often in this time. */
function repeatedIn(lines: readonly LogLine[], ms: number): readonly string[] {
  const most = 1 + Math.floor(ms / PAUSE_MS);
  const counts = Map.groupBy(lines, ({ msg }) => msg);
  return [...counts].flatMap(([msg, { length }]) =>
    length > (msg.startsWith('lost a connection') ? CONNECTIONS : most) ? `${length} times: ${msg}` : [],
  );
}

describe(`an outage of ${OUTAGE_SECONDS} seconds`, () => {
  let feed: WholeFeed;

  beforeAll(async () => {
    feed = await WholeFeed.start();
  });
  afterAll(() => feed.stop());

  it('of the database does not reject records, of the bus does, and both recover without help', async () => {
    const { load, collector, aggregator } = feed;
    await feed.storesOn(50);
    let since = performance.now();
    await feed.database.kill();
    const [warnings, answered, refused] = [aggregator.log(WARN).length, load.acknowledged.size, load.unknown.size];
    await sleep(OUTAGE_SECONDS * 1_000);
    await load.untilAcknowledged(50);
    expect(load.acknowledged.size).toBeGreaterThan(answered);
    expect(load.unknown.size).toBe(refused);
    expect(repeatedIn(aggregator.log(WARN).slice(warnings), performance.now() - since)).toEqual([]);
    await feed.database.restart();

    await feed.storesOn(50);
    since = performance.now();
    await feed.bus.kill();
    const before = [collector, aggregator].map((service) => service.log(WARN).length);
    await load.untilRejected(4);
    await sleep(OUTAGE_SECONDS * 1_000);
    await load.untilRejected(4);
    expect([...load.rejections.keys()]).toEqual(['503, retry after 2']);
    for (const [index, service] of [collector, aggregator].entries()) {
      expect(repeatedIn(service.log(WARN).slice(before[index]), performance.now() - since)).toEqual([]);
    }
    await feed.bus.restart();
    await load.untilAcknowledged(50);
    const outcome = await feed.outcome();
    reportFault(`outage of ${OUTAGE_SECONDS} s of database, then bus`, 2, load.acknowledged.size, outcome);
    expect(outcome).toEqual(NOTHING_WRONG);
  });
});
