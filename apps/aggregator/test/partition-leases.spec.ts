import { jest } from '@jest/globals';
import { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { startNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { PartitionLeases } from '../src/feed/partition-leases.js';

const PARTITIONS = 4;
const LEASE_MS = 540;

interface Replica {
  readonly held: Set<number>;
  /** Of each partition that it acquired: whether its last reader had published everything. */
  readonly handedOver: readonly boolean[];
  readonly rounds: () => number;
  stop(): Promise<void>;
}

describe('the owners of partitions', () => {
  const started = new Started();
  let bus: Bus;

  beforeAll(async () => {
    const nats = started.add(await startNats());
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
  });
  afterAll(() => started.stopAll());

  function startReplica(isPublished = true): Replica {
    const held = new Set<number>();
    const handedOver: boolean[] = [];
    let rounds = 0;
    const leases = new PartitionLeases({
      bus,
      logger: quietLogger(),
      partitions: () => {
        rounds++;
        return PARTITIONS;
      },
      onAcquire: (partition, isInOrder) => {
        held.add(partition);
        handedOver.push(isInOrder);
      },
      onRelease: async (partition) => {
        held.delete(partition);
        return isPublished;
      },
      offerBundles: async () => undefined,
      leaseMs: LEASE_MS,
    });
    leases.start();
    return started.add({ held, handedOver, rounds: () => rounds, stop: () => leases.stop() });
  }

  it('are read again only after one was written, and then at once', async () => {
    const read = jest.spyOn(Bucket.prototype, 'getNewest');
    const first = startReplica();
    await eventually('some rounds with all partitions', () => first.held.size === PARTITIONS && first.rounds() > 4);
    const [reads, rounds] = [read.mock.calls.length, first.rounds()];
    await eventually('more rounds', () => first.rounds() > rounds + 10);
    expect(read).toHaveBeenCalledTimes(reads);
    const second = startReplica();
    await eventually('a share for each', () => first.held.size === 2 && second.held.size === 2);
    expect(first.held.isDisjointFrom(second.held)).toBe(true);
    await second.stop();
    await eventually('all for the one that is left', () => first.held.size === PARTITIONS);
    read.mockRestore();
    await first.stop();
  });

  it.each([true, false])('share them, and the next one knows whether all was published: %s', async (isPublished) => {
    const first = startReplica(isPublished);
    await eventually('all partitions', () => first.held.size === PARTITIONS);
    const second = startReplica();
    await eventually('a share for each', () => first.held.size === 2 && second.held.size === 2);
    expect(second.handedOver).toEqual([isPublished, isPublished]);
    await Promise.all([first.stop(), second.stop()]);
  });
});
