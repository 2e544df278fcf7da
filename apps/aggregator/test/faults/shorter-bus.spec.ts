import { jest } from '@jest/globals';
import { BusCopy } from '@ringdown/testing/servers/bus-copy';
import { eventually } from '@ringdown/testing/eventually';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportFault, faultRepetitions } from './report.js';
import { NOTHING_WRONG, WholeFeed } from './whole-feed.js';

jest.setTimeout(900_000);

describe('records sent after the bus has come back without its newest messages', () => {
  const started = new Started();
  let feed: WholeFeed;
  let busFolder: string;

  beforeAll(async () => {
    busFolder = mkdtempSync(join(tmpdir(), 'ringdown-shorter-'));
    feed = started.add(await WholeFeed.start({ busFolder }));
  });
  afterAll(() => started.stopAll());

  /** Records that this process has read although they were already in the database. */
  const reread = (): Promise<number> => feed.aggregator.metric('ringdown_aggregator_records_total{outcome="reread"}');

  it('are in the database, each once, like those read before, even when a kill ends reading again', async () => {
    const { load, bus, aggregator } = feed;
    const tries = faultRepetitions(5);
    for (let round = 0; round < tries; round++) {
      await feed.storesOn(50);
      const copy = started.add(await BusCopy.create(bus, busFolder));
      await feed.storesOn(round % 2 === 0 ? 200 : 50);
      // Only what was already read survives the loss on the bus.
      await load.pause();
      await feed.storesAll();
      const before = await reread();
      await copy.restore(() => Promise.resolve(load.resume()));
      await eventually('the first batch that is read again', async () => (await reread()) > before);
      await aggregator.kill();
      await aggregator.launch();
      await load.untilAcknowledged(round % 2 === 0 ? 50 : 200);
    }
    const outcome = await feed.outcome();
    reportFault(
      'bus comes back without its newest messages, aggregator killed then',
      tries,
      load.acknowledged.size,
      outcome,
    );
    expect(outcome).toEqual(NOTHING_WRONG);
  });
});
