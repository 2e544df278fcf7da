import { RECORDS_STREAM, recordsSubject } from '@ringdown/contracts';
import type { Position } from '@ringdown/feed-bus';
import { isRecognised, type Bus } from '@ringdown/nats';
import type { CallStore } from '../store/call-store.js';

/**
 * Where a partition stands when everything that the bus has of it is in the database; undefined while there is more, or
 * while the bus does not say. What is not heard of may then still be on its way.
 */
export async function caughtUpAt(bus: Bus, store: CallStore, partition: number): Promise<Position | undefined> {
  const last = await bus.jsm.streams.getMessage(RECORDS_STREAM, { last_by_subj: recordsSubject(partition) });
  // Asked for last, so that it cannot be further than what the bus had.
  const position = (await store.positions()).get(partition);
  // What was read last may be gone, with nothing of the partition left that could be read again.
  if (position === undefined || last === null) return position;
  if (last.seq > position.sequence) return undefined;
  const isKnown = await isRecognised(bus, await bus.jsm.streams.info(RECORDS_STREAM), position);
  return isKnown ? position : undefined;
}
