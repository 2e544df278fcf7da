import { jest } from '@jest/globals';
import { eventually } from '@ringdown/testing/eventually';
import { PostgresServer } from '@ringdown/testing/servers/postgres-server';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportFault, faultRepetitions } from './report.js';
import { NOTHING_WRONG, WholeFeed } from './whole-feed.js';

/** `npm run test:faults` uses the whole minute. */
const OUTAGE_SECONDS = Number(process.env['RINGDOWN_OUTAGE_SECONDS'] ?? 5);

jest.setTimeout(300_000 + OUTAGE_SECONDS * 5_000);

describe(`a database that cannot be written to for ${OUTAGE_SECONDS} seconds`, () => {
  let server: PostgresServer;
  let feed: WholeFeed;

  beforeAll(async () => {
    server = await PostgresServer.start();
    const database = {
      url: server.url,
      kill: () => server.kill(),
      restart: () => server.launch(),
      stop: () => server.stop(),
    };
    feed = await WholeFeed.start({ database });
  });
  afterAll(() => feed.stop());

  const limited = async (parts: readonly string[]): Promise<boolean> => {
    const { ready, limited: found }: { ready?: unknown; limited?: unknown } = Object(await feed.aggregator.readiness());
    return ready === true && JSON.stringify(found) === JSON.stringify(parts);
  };

  it('limits the aggregator, which stays ready for reads, and loses and doubles nothing', async () => {
    const { load } = feed;
    await feed.storesOn(50);
    for (let round = 0; round < faultRepetitions(3); round++) {
      await server.setReadOnly(true);
      await eventually('the limit to be reported', () => limited(['database writes']), 60_000);
      const rejected = load.unknown.size;
      await sleep(OUTAGE_SECONDS * 1_000);
      await load.untilAcknowledged(50);
      expect(load.unknown.size).toBe(rejected);
      await server.setReadOnly(false);
      await eventually('the end of the limit', () => limited([]), 60_000);
      await feed.storesAll();
    }
    const outcome = await feed.outcome();
    reportFault(
      'database that cannot be written to for a minute (`database writes`)',
      faultRepetitions(3),
      load.acknowledged.size,
      outcome,
    );
    expect(outcome).toEqual(NOTHING_WRONG);
  });
});
