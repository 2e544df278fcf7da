import { append } from './append.js';
import type { Channel } from './channel.js';
import { BOUNDS, type ChannelBounds } from './release.js';
import type { SessionEvent } from './session-event.js';

/**
 * Events that their source has numbered, so that it can append them again when it does not know whether it has done so.
 */
export interface SequencedEvents {
  /** Identifies the source among all that write to this channel. */
  readonly source: string;
  /** In ascending order; numbers begin at 1. */
  readonly parts: readonly { readonly sequence: number; readonly events: readonly SessionEvent[] }[];
}

/** Sources whose last number is known; those that sent nothing for the longest time are forgotten first. */
const MAX_SOURCES = 250;

/**
 * As `append`, but skips events that this source has appended before; returns the same channel when nothing is left.
 */
export function appendOnce(
  channel: Channel,
  { source, parts }: SequencedEvents,
  now: number,
  bounds: ChannelBounds = BOUNDS,
): Channel {
  const lastNumbers = channel.heard ?? [];
  const [, last] = lastNumbers.find(([name]) => name === source) ?? [source, 0];
  const fresh = parts.filter(({ sequence }) => sequence > last);
  const newest = fresh.at(-1);
  if (newest === undefined) return channel;
  const others = lastNumbers.filter(([name]) => name !== source);
  const marked = { ...channel, heard: [...others, [source, newest.sequence] as const].slice(-MAX_SOURCES) };
  return append(
    marked,
    fresh.flatMap(({ events }) => events),
    now,
    bounds,
  );
}
