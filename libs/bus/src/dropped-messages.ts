import type { Bus } from './bus.js';
import type { Position } from './partition-reader.js';
import { streamLife } from './streams.js';
import { RECORDS_STREAM } from './subjects.js';

/** Messages of the feed, each of one or more records, that are gone although nobody has read them. */
export interface DroppedMessages {
  /** Where reading had come to: tells one loss from the next. */
  readonly after: Position;
  readonly messages: number;
}

/**
 * What the bus has dropped behind everything that was read, because it kept it for as long, or as much of it, as it may.
 * Partitions share the numbers of one stream, so what is missing between their positions cannot be told from what was
 * read: there may be more. Undefined where nothing is missing, or nothing of this stream was read yet.
 */
export async function droppedMessages(
  bus: Bus,
  positions: ReadonlyMap<number, Position>,
): Promise<DroppedMessages | undefined> {
  bus.assertConnected();
  const info = await bus.jsm.streams.info(RECORDS_STREAM);
  const life = streamLife(info);
  const known = [...positions.values()].filter(({ epoch }) => epoch === life);
  if (known.length === 0) return undefined;
  const after = known.reduce((furthest, position) => (position.sequence > furthest.sequence ? position : furthest));
  const messages = info.state.first_seq - 1 - after.sequence;
  return messages > 0 ? { after, messages } : undefined;
}
