import { jest } from '@jest/globals';
import { PARTITIONS } from '@ringdown/contracts/records';
import { RECORDS_STREAM } from '@ringdown/contracts/records';
import type { Bus } from '@ringdown/nats';
import { eventually } from '@ringdown/testing/eventually';
import { partitionBacklogs, type PartitionBacklog } from '../src/index.js';
import { SmallFeed } from './small-feed.js';

const ALL = Array.from({ length: PARTITIONS }, (_, partition) => partition);

describe('the backlog of the partitions of the feed', () => {
  let feed: SmallFeed;
  let bus: Bus;
  let epoch: string;
  beforeAll(async () => {
    feed = await SmallFeed.start([3, 5, 3, 3]);
    ({ bus, epoch } = feed);
  });
  afterAll(() => feed.stop());

  const waiting = async (sequence: number, of = epoch): Promise<readonly PartitionBacklog[]> => {
    const positions = new Map([3, 5].map((partition) => [partition, { epoch: of, sequence }]));
    return (await partitionBacklogs(bus, positions, ALL)).filter(({ messages }) => messages > 0);
  };

  it('is everything before anything was read, by partition, with its age', async () => {
    const all = await partitionBacklogs(bus, new Map(), ALL);
    expect(all.map(({ partition, messages }) => [partition, messages])).toEqual(
      [0, 0, 0, 3, 0, 1, 0, 0].map((messages, partition) => [partition, messages]),
    );
    const [oldest, newer] = [all[3]?.oldestAt ?? 0, all[5]?.oldestAt ?? 0];
    expect(Math.abs(Date.now() - oldest)).toBeLessThan(60_000);
    expect(newer).toBeGreaterThanOrEqual(oldest);
    expect(all[0]?.oldestAt).toBeUndefined();
  });

  it('is what comes after the read position', async () => {
    expect(await waiting(1)).toMatchObject([
      { partition: 3, messages: 2 },
      { partition: 5, messages: 1 },
    ]);
    expect(await waiting(3)).toMatchObject([{ partition: 3, messages: 1 }]);
    expect(await waiting(4)).toEqual([]);
  });

  it('is that of the wanted partitions only', async () => {
    const some = await partitionBacklogs(bus, new Map(), [5, 6]);
    expect(some.map(({ partition, messages }) => [partition, messages])).toEqual([
      [5, 1],
      [6, 0],
    ]);
  });

  it('is everything when the position is of another stream or of one that had more messages', async () => {
    expect(await waiting(4, 'another')).toHaveLength(2);
    expect(await waiting(400)).toHaveLength(2);
  });

  it('is determined without leaving a consumer on the bus', async () => {
    await waiting(0);
    expect((await bus.jsm.streams.info(RECORDS_STREAM)).state.consumer_count).toBe(0);
  });

  it('is rejected, and not reported as empty, when the bus does not deliver what waits', async () => {
    const mute = { next: () => Promise.resolve(null), delete: () => Promise.resolve(true) };
    const consumers = jest.spyOn(bus.js.consumers, 'get').mockResolvedValue(Object(mute));
    await expect(waiting(1)).rejects.toThrow('the bus did not deliver a record that waits within 1000 ms');
    consumers.mockRestore();
  });

  it('is rejected while the bus is disconnected', async () => {
    await feed.nats.kill();
    await eventually('the loss to be noticed', () => !feed.isConnected);
    await expect(partitionBacklogs(bus, new Map(), ALL)).rejects.toThrow('no connection to the message bus');
    await feed.nats.restart();
  });
});
