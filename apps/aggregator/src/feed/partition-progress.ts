import { RECORDS_STREAM } from '@ringdown/contracts/records';
import { lastPartitionMessage, type Position } from '@ringdown/feed-bus';
import type { Bus } from '@ringdown/nats';
import { isRecognised } from '@ringdown/nats/reading';
import type { CallStore } from '../store/calls/call-store.js';

/** Whether everything that the bus has of the partition was read, also when it has nothing and nothing was ever read. */
export async function isCaughtUp(bus: Bus, store: CallStore, partition: number): Promise<boolean> {
  if ((await caughtUpAt(bus, store, partition)) !== undefined) return true;
  return (await lastPartitionMessage(bus, partition)) === undefined;
}

/**
 * The position of a partition when everything that the bus has of it is in the database; undefined while there is more,
 * or while the bus does not confirm the position. Records that have not arrived may then still be on their way.
 */
export async function caughtUpAt(bus: Bus, store: CallStore, partition: number): Promise<Position | undefined> {
  const last = await lastPartitionMessage(bus, partition);
  // Read last, so that it cannot be further than what the bus had.
  const position = (await store.positions()).get(partition);
  // The last read message may be gone, and nothing of the partition is left to read again.
  if (position === undefined || last === undefined) return position;
  if (last > position.sequence) return undefined;
  const isKnown = await isRecognised(bus, await bus.jsm.streams.info(RECORDS_STREAM), position);
  return isKnown ? position : undefined;
}
