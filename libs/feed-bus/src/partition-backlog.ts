import { DeliverPolicy, type StreamInfo } from '@nats-io/jetstream';
import { RECORDS_STREAM, subjectNumber, subjectsOfPartition } from '@ringdown/contracts/records';
import type { Bus } from '@ringdown/nats';
import { FoundInStream, isRecognised } from '@ringdown/nats/reading';
import type { Position } from './position.js';

/** The backlog of one partition of the feed. */
export interface PartitionBacklog {
  readonly partition: number;
  /** Messages, each of one or more records, that are not read yet. */
  readonly messages: number;
  /** When the bus stored the oldest of them, milliseconds since 1970 by its clock; undefined if there is none. */
  readonly oldestAt: number | undefined;
}

/** Time limit for the bus to deliver the oldest waiting message. */
const DELIVER_MS = 1_000;

/** What waits in each of these partitions after its position, whether a reader is running or not. */
export async function partitionBacklogs(
  bus: Bus,
  positions: ReadonlyMap<number, Position | undefined>,
  partitions: readonly number[],
): Promise<readonly PartitionBacklog[]> {
  bus.assertConnected();
  const stream = await bus.jsm.streams.info(RECORDS_STREAM);
  const backlogOf = async (partition: number): Promise<PartitionBacklog> => {
    const position = positions.get(partition);
    // A stream that was recreated, or has lost its newest messages, is read from its start.
    const isKnown = position !== undefined && (await isRecognised(bus, stream, position));
    return { partition, ...(await waitingAfter(bus, partition, stream, isKnown ? position.sequence : 0)) };
  };
  return Promise.all(partitions.map(backlogOf));
}

const lastMessages = new FoundInStream<number | undefined>();

/**
 * The sequence of the last message with records of this partition, `stream` or newer; undefined when the bus has none.
 * The bus answers with the whole message, so it is asked again only when the stream has changed.
 */
export async function lastPartitionMessage(
  bus: Bus,
  partition: number,
  stream: StreamInfo,
): Promise<number | undefined> {
  const known = lastMessages.in(bus, stream);
  const number = String(subjectNumber(partition));
  if (known.has(number)) return known.get(number);
  const last = await Promise.all(
    subjectsOfPartition(partition).map((subject) =>
      bus.jsm.streams.getMessage(RECORDS_STREAM, { last_by_subj: subject }),
    ),
  );
  const sequences = last.flatMap((message) => (message === null ? [] : [message.seq]));
  const newest = sequences.length === 0 ? undefined : Math.max(...sequences);
  known.set(number, newest);
  return newest;
}

async function waitingAfter(
  bus: Bus,
  partition: number,
  stream: StreamInfo,
  sequence: number,
): Promise<Pick<PartitionBacklog, 'messages' | 'oldestAt'>> {
  const none = { messages: 0, oldestAt: undefined };
  const last = await lastPartitionMessage(bus, partition, stream);
  if (last === undefined || last <= sequence) return none;
  const consumer = await bus.js.consumers.get(RECORDS_STREAM, {
    filter_subjects: [...subjectsOfPartition(partition)],
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: sequence + 1,
  });
  try {
    const oldest = await consumer.next({ expires: DELIVER_MS });
    if (oldest === null) throw new Error(`the bus did not deliver a record that waits within ${DELIVER_MS} ms`);
    return { messages: oldest.info.pending + 1, oldestAt: Math.floor(oldest.info.timestampNanos / 1_000_000) };
  } finally {
    await consumer.delete().catch(() => false);
  }
}
