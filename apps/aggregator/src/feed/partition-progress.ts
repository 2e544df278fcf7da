import { RECORDS_STREAM } from '@ringdown/contracts/records';
import { lastPartitionMessage, type Position } from '@ringdown/feed-bus';
import type { Bus } from '@ringdown/nats';
import { isRecognised } from '@ringdown/nats/reading';
import type { CallStore } from '../store/calls/call-store.js';

/**
 * Those of these partitions of which everything that the bus has was read, with the position reached; undefined for one of which the bus
 * has nothing and nothing was ever read. Omitted: those of which there is more, or whose position the bus does not confirm. Records that
 * have not arrived may then still be on their way.
 */
export async function caughtUp(
  bus: Bus,
  store: CallStore,
  partitions: readonly number[],
): Promise<ReadonlyMap<number, Position | undefined>> {
  const stream = await bus.jsm.streams.info(RECORDS_STREAM);
  const last = new Map<number, number | undefined>();
  for (const partition of partitions) last.set(partition, await lastPartitionMessage(bus, partition, stream));
  // Read last, so that they cannot be further than what the bus had.
  const positions = await store.positions();
  const reached = new Map<number, Position | undefined>();
  for (const [partition, sequence] of last) {
    const position = positions.get(partition);
    // The last read message may be gone, and nothing of the partition is left to read again.
    if (sequence === undefined || (await isReached(bus, stream, position, sequence))) reached.set(partition, position);
  }
  return reached;
}

async function isReached(
  bus: Bus,
  stream: Parameters<typeof isRecognised>[1],
  position: Position | undefined,
  last: number,
): Promise<boolean> {
  if (position === undefined || last > position.sequence) return false;
  const isNewer = position.sequence > stream.state.last_seq;
  return isRecognised(bus, isNewer ? await bus.jsm.streams.info(RECORDS_STREAM) : stream, position);
}
