import { RECORDS_STREAM, recordsSubject } from '@ringdown/contracts/records';
import { streamEpoch } from '@ringdown/nats/streams';
import { eventually } from '@ringdown/testing/eventually';
import { ensureFeedStreams } from '../src/doors/streams.js';
import { SmallFeed } from './small-feed.js';

const SETTINGS = { recordsMaxAgeHours: 1, recordsMaxBytes: 2 ** 24 };

describe('the identity of the stream of records', () => {
  let feed: SmallFeed;
  beforeEach(async () => {
    feed = await SmallFeed.start([3]);
  });
  afterEach(() => feed.stop());

  const epoch = async (): Promise<string> => streamEpoch(await feed.bus.jsm.streams.info(RECORDS_STREAM));
  const startAgain = async (settings = SETTINGS): Promise<void> => {
    await feed.nats.kill();
    await eventually('the loss to be noticed', () => !feed.isConnected);
    await feed.nats.restart();
    await eventually('the bus to be back', () => feed.isConnected);
    await ensureFeedStreams(feed.bus, settings);
  };

  it('does not change at restarts of the bus, however often', async () => {
    for (const _ of [1, 2]) await startAgain();
    expect(await epoch()).toBe(feed.epoch);
  });

  it('does not change with the limits', async () => {
    await startAgain({ recordsMaxAgeHours: 2, recordsMaxBytes: 2 ** 25 });
    await startAgain();
    await startAgain();
    expect(await epoch()).toBe(feed.epoch);
    expect((await feed.bus.jsm.streams.info(RECORDS_STREAM)).config.max_bytes).toBe(SETTINGS.recordsMaxBytes);
  });

  it('changes when the stream is recreated', async () => {
    await feed.bus.jsm.streams.delete(RECORDS_STREAM);
    await ensureFeedStreams(feed.bus, SETTINGS);
    expect(await epoch()).not.toBe(feed.epoch);
  });

  it('changes when the stream is recreated with the same configuration', async () => {
    const { streams } = feed.bus.jsm;
    const { config } = await streams.info(RECORDS_STREAM);
    await streams.delete(RECORDS_STREAM);
    await streams.add(config);
    expect(await epoch()).not.toBe(feed.epoch);
    await feed.bus.js.publish(recordsSubject(3), '{}');
    expect(await epoch()).not.toBe(feed.epoch);
  });

  it('is the same for replicas that start together', async () => {
    await feed.bus.jsm.streams.delete(RECORDS_STREAM);
    await Promise.all(Array.from({ length: 4 }, () => ensureFeedStreams(feed.bus, SETTINGS)));
    const { created, config } = await feed.bus.jsm.streams.info(RECORDS_STREAM);
    expect([await epoch(), config.max_bytes]).toEqual([created, SETTINGS.recordsMaxBytes]);
  });
});
