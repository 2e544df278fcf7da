import type { Channel, PendingEvent } from './channel.js';
import { withTakenBack } from './receipts.js';
import { BOUNDS, settle, type ChannelBounds } from './release.js';
import { supersedes, type SessionEvent } from './session-event.js';

/**
 * The channel after these events, in their order; what they make superfluous is left out. When a poll waits and
 * something is due, the next package is made of it at once.
 *
 * A channel that overflows has lost what waited in it. That is never hidden: one package number is used up without
 * its package, so that whoever asks for it is sent to resynchronize.
 */
export function append(
  channel: Channel,
  events: readonly SessionEvent[],
  now: number,
  bounds: ChannelBounds = BOUNDS,
): Channel {
  const pending = merged(channel.pending, events, now);
  const bytes = pending.reduce((sum, { size }) => sum + size, 0);
  if (pending.length <= bounds.events && bytes <= bounds.bytes) return settle({ ...channel, pending }, now, bounds);
  return overflow({ ...channel, pending }, now);
}

function merged(pending: readonly PendingEvent[], events: readonly SessionEvent[], now: number): PendingEvent[] {
  const result = [...pending];
  for (const event of events) {
    let since = now;
    const known = result.findIndex((older) => supersedes(event, older.event));
    if (known !== -1) {
      // It stands for the older one as well, and keeps its place in the line of who waits longest.
      const [older] = result.splice(known, 1);
      since = Math.min(since, older?.since ?? now);
    }
    result.push({ event, since, size: Buffer.byteLength(JSON.stringify(event)) });
  }
  return result;
}

/**
 * Ends the poll that waits, too: it would wait for a package that does not exist. Who wants to know of a lost event finds
 * that it was not given.
 */
function overflow(channel: Channel, now: number): Channel {
  const ended = channel.waiter === null ? {} : { heldBy: channel.waiter.token, endedAt: now };
  const lost = channel.pending.flatMap(({ event }) => event.receipt ?? []);
  const emptied = { ...channel, last: channel.last + 1, held: null, pending: [], waiter: null, ...ended };
  return withTakenBack(emptied, lost);
}
