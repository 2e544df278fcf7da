import { DeliverPolicy } from '@nats-io/jetstream';
import { PARTITIONS, RECORDS_STREAM, recordsSubject } from '@ringdown/contracts';
import { isRecognised, type Bus } from '@ringdown/nats';
import type { Position } from './position.js';

/** How far the reading of one partition of the feed is behind. */
export interface PartitionBacklog {
  readonly partition: number;
  /** Messages, each of one or more records, that are still to be read. */
  readonly messages: number;
  /** When the bus has stored the oldest of them, milliseconds since 1970 by its clock; undefined when there is none. */
  readonly oldestAt: number | undefined;
}

/** How long the bus may take to show the oldest message that waits. */
const SHOW_MS = 1_000;

/** What waits in each partition behind the given positions, whether somebody reads it or not. */
export async function partitionBacklogs(
  bus: Bus,
  positions: ReadonlyMap<number, Position>,
): Promise<readonly PartitionBacklog[]> {
  bus.assertConnected();
  const stream = await bus.jsm.streams.info(RECORDS_STREAM);
  const backlogOf = async (partition: number): Promise<PartitionBacklog> => {
    const position = positions.get(partition);
    // A stream that was made anew, or has lost its end, is read from its start.
    const isKnown = position !== undefined && (await isRecognised(bus, stream, position));
    return { partition, ...(await waitingAfter(bus, partition, isKnown ? position.sequence : 0)) };
  };
  return Promise.all(Array.from({ length: PARTITIONS }, (_, partition) => backlogOf(partition)));
}

async function waitingAfter(
  bus: Bus,
  partition: number,
  sequence: number,
): Promise<Pick<PartitionBacklog, 'messages' | 'oldestAt'>> {
  const none = { messages: 0, oldestAt: undefined };
  const subject = recordsSubject(partition);
  const last = await bus.jsm.streams.getMessage(RECORDS_STREAM, { last_by_subj: subject });
  if (last === null || last.seq <= sequence) return none;
  const consumer = await bus.js.consumers.get(RECORDS_STREAM, {
    filter_subjects: subject,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: sequence + 1,
  });
  try {
    const oldest = await consumer.next({ expires: SHOW_MS });
    if (oldest === null) return none;
    return { messages: oldest.info.pending + 1, oldestAt: Math.floor(oldest.info.timestampNanos / 1_000_000) };
  } finally {
    await consumer.delete().catch(() => false);
  }
}
