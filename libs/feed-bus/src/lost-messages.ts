import { RECORDS_STREAM } from '@ringdown/contracts/records';
import type { Bus } from '@ringdown/nats';
import { isRecognised } from '@ringdown/nats/reading';
import type { Position } from './position.js';

/** Messages of the feed, each of one or more records, that the bus had stored and has lost. */
export interface LostMessages {
  /** The position reached before the loss: identifies this loss. */
  readonly after: Position;
  /**
   * `dropped`: the stream reached its limits of age or size before they were read. `shortened`: the bus has lost its
   * newest messages, some of them from before this position; they may not have been read.
   */
  readonly kind: 'dropped' | 'shortened';
  /** The number of lost messages, at least. */
  readonly messages: number;
}

/**
 * What the bus has lost since the given positions were reached; undefined if nothing is missing, or nothing was read
 * yet. Partitions share the sequences of one stream, so a gap between their positions may be lost messages or messages
 * that were read: only what is missing after all positions is counted as dropped.
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
