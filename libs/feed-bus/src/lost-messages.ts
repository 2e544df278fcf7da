import { RECORDS_STREAM } from '@ringdown/contracts';
import { isRecognised, type Bus } from '@ringdown/nats';
import type { Position } from './position.js';

/** Messages of the feed, each of one or more records, that the bus had and has no more. */
export interface LostMessages {
  /** Where reading had come to: tells one loss from the next. */
  readonly after: Position;
  /**
   * `dropped`: they were older, or more, than the bus keeps, and nobody had read them. `shortened`: the bus has lost its newest
   * messages, from before this position; some of them may not have been read.
   */
  readonly kind: 'dropped' | 'shortened';
  /** At least so many. */
  readonly messages: number;
}

/**
 * What the bus has lost since the given positions were reached; undefined where nothing is missing, or nothing was read yet.
 * Partitions share the numbers of one stream, so what is missing between their positions cannot be told from what was read:
 * only what is missing behind all of them is counted as dropped.
 */
export async function lostMessages(
  bus: Bus,
  positions: ReadonlyMap<number, Position>,
): Promise<LostMessages | undefined> {
  bus.assertConnected();
  const stream = await bus.jsm.streams.info(RECORDS_STREAM);
  const { first_seq: first, last_seq: last } = stream.state;
  const furthestFirst = [...positions.values()].toSorted((a, b) => b.sequence - a.sequence);
  for (const after of furthestFirst) {
    if (await isRecognised(bus, stream, after)) continue;
    return { after, kind: 'shortened', messages: Math.max(after.sequence - last, 1) };
  }
  const [after] = furthestFirst;
  if (after === undefined) return undefined;
  const messages = first - 1 - after.sequence;
  return messages > 0 ? { after, kind: 'dropped', messages } : undefined;
}
