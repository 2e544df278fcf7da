import { eventually } from '@ringdown/testing/eventually';
import { SmallDisk } from '@ringdown/testing/small-disk';
import { Started } from '@ringdown/testing/started';
import { join } from 'node:path';
import { reportFault } from './report.js';
import { NOTHING_WRONG, WholeFeed } from './whole-feed.js';

/** Small enough for a small disk. */
const STREAMS = { RECORDS_MAX_BYTES: String(64 * 1_024 * 1_024), DEAD_LETTERS_MAX_BYTES: String(4 * 1_024 * 1_024) };

describe('a full disk', () => {
  const started = new Started();
  let busDisk: SmallDisk;
  let databaseDisk: SmallDisk;
  let feed: WholeFeed;

  beforeAll(async () => {
    // The bus reserves three quarters of its disk for its streams, and does not start when they may need more.
    busDisk = started.add(SmallDisk.mount(640));
    databaseDisk = started.add(SmallDisk.mount(256));
    feed = started.add(
      await WholeFeed.start({
        busFolder: join(busDisk.folder, 'bus'),
        databaseFolder: join(databaseDisk.folder, 'database'),
        settings: STREAMS,
      }),
    );
  });
  afterAll(() => started.stopAll());

  it('of the database does not keep records from being accepted, and freeing space is enough to recover', async () => {
    const { load } = feed;
    await feed.storesOn(50);
    databaseDisk.fill();
    const failed = (): boolean => feed.aggregator.log(40).some(({ msg }) => msg.startsWith('records cannot be'));
    await eventually('the database to fail', failed);
    const goesOn = async (): Promise<boolean> => {
      const refused = load.unknown.size;
      await load.untilAcknowledged(50);
      return load.unknown.size === refused;
    };
    // A busy machine may occasionally be too slow for one of them.
    expect(await eventually('50 records that are all accepted', goesOn)).toBe(true);
    databaseDisk.freeSpace();
    const works = (): boolean => feed.aggregator.log(30).some(({ msg }) => msg === 'records are read and stored again');
    await eventually('the database to work again', works);
  });

  it('of the bus gets records rejected, loses no accepted record, and freeing space is enough to recover', async () => {
    const { load } = feed;
    await feed.storesOn(50);
    busDisk.fill();
    await load.untilRejected(8);
    const ready = async (): Promise<unknown> => Object(await feed.collector.readiness()).ready;
    expect(await ready()).toBe(false);
    busDisk.freeSpace();
    await load.untilAcknowledged(50);
    expect(await eventually('the collector to be ready', ready)).toBe(true);
    expect([...load.rejections.keys()]).toEqual(['503, retry after 2']);
    const outcome = await feed.outcome();
    reportFault('full disk of database, then bus', 2, load.acknowledged.size, outcome);
    expect(outcome).toEqual(NOTHING_WRONG);
  });
});
