import { droppedMessages, RECORDS_STREAM, type Bus, type Position } from '../src/index.js';
import { SmallFeed } from './small-feed.js';

describe('what the bus has dropped before it was read', () => {
  let feed: SmallFeed;
  let bus: Bus;
  let epoch: string;
  beforeAll(async () => {
    feed = await SmallFeed.start([3, 5, 3, 3, 5, 1]);
    ({ bus, epoch } = feed);
  });
  afterAll(() => feed.stop());

  const at = (...sequences: readonly number[]): ReadonlyMap<number, Position> =>
    new Map(sequences.map((sequence, partition) => [partition, { epoch, sequence }]));
  const dropped = async (positions: ReadonlyMap<number, Position>): Promise<number | undefined> =>
    (await droppedMessages(bus, positions))?.messages;

  it('is nothing while the bus has all', async () => {
    expect(await dropped(at(2, 1))).toBeUndefined();
  });

  it('is what is missing behind the furthest that was read', async () => {
    await bus.jsm.streams.purge(RECORDS_STREAM, { seq: 5 });
    expect(await droppedMessages(bus, at(2, 1))).toEqual({ after: { epoch, sequence: 2 }, messages: 2 });
    expect(await dropped(at(4, 1))).toBeUndefined();
    expect(await dropped(at(6, 1))).toBeUndefined();
  });

  it('is everything up to the next when nothing is left', async () => {
    await bus.jsm.streams.purge(RECORDS_STREAM);
    expect(await dropped(at(2, 4))).toBe(2);
    expect(await dropped(at(6))).toBeUndefined();
  });

  it('is not known of a stream of which nothing was read', async () => {
    expect(await dropped(new Map())).toBeUndefined();
    expect(await dropped(new Map([[1, { epoch: 'another', sequence: 1 }]]))).toBeUndefined();
  });
});
