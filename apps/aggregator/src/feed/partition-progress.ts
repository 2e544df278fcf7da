import { RECORDS_STREAM, recordsSubject, type Bus, type Position } from '@ringdown/bus';
import type { CallStore } from '../store/call-store.js';

/**
 * Where a partition stands when everything that the bus has of it is in the database; undefined while there is more, or
 * while the bus does not say. What is not heard of may then still be on its way.
 */
export async function caughtUpAt(bus: Bus, store: CallStore, partition: number): Promise<Position | undefined> {
  const subject = recordsSubject(partition);
  const { created } = await bus.jsm.streams.info(RECORDS_STREAM);
  const last = await bus.jsm.streams.getMessage(RECORDS_STREAM, { last_by_subj: subject });
  // Asked for last, so that it cannot be further than what the bus had.
  const position = await store.position(partition);
  if (position === undefined || position.epoch !== created) return undefined;
  return last === null || last.seq <= position.sequence ? position : undefined;
}
