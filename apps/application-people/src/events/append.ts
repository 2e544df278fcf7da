import type { Channel, PendingEvent } from './channel.js';
import { remainderOf } from './people-event.js';
import { withWithdrawn } from './receipts.js';
import { BOUNDS, settle, sizeOf, type ChannelBounds } from './release.js';
import type { SessionEvent } from './session-event.js';

/**
 * The channel after these events, in their order; older events that they supersede are removed. When a poll waits and
 * something is due, the next package is made at once. A channel that overflows loses all its pending events. This is
 * never hidden: one package number is used up without a package, so that a client that requests it has to
 * resynchronize.
 */
export function append(
  channel: Channel,
  events: readonly SessionEvent[],
  now: number,
  bounds: ChannelBounds = BOUNDS,
): Channel {
  const pending = merged(channel.pending, events, now);
  const { events: count, bytes } = sizeOf(pending);
  if (count <= bounds.events && bytes <= bounds.bytes) return settle({ ...channel, pending }, now, bounds);
  return overflow({ ...channel, pending }, now);
}

function merged(pending: readonly PendingEvent[], events: readonly SessionEvent[], now: number): PendingEvent[] {
  const result = [...pending];
  for (const event of events) {
    let since = now;
    for (const [place, older] of result.entries()) {
      const left = remainderOf(older.event, event);
      if (left === older.event) continue;
      // It replaces the older one and keeps its place, so that the waiting time counts from the older one.
      result.splice(place, 1, ...(left === undefined ? [] : [pendingEvent(left, older.since)]));
      since = Math.min(since, older.since);
      break;
    }
    result.push(pendingEvent(event, since));
  }
  return result;
}

function pendingEvent(event: SessionEvent, since: number): PendingEvent {
  return { event, since, size: Buffer.byteLength(JSON.stringify(event)) };
}

/**
 * Also ends the poll that waits, which would otherwise wait for a package that does not exist. A sender that waits for
 * a receipt of a lost event learns that the event was not delivered.
 */
function overflow(channel: Channel, now: number): Channel {
  const ended = channel.waiter === null ? {} : { heldBy: channel.waiter.token, endedAt: now };
  const lost = channel.pending.flatMap(({ event }) => event.receipt ?? []);
  const emptied = { ...channel, last: channel.last + 1, held: null, pending: [], waiter: null, ...ended };
  return withWithdrawn(emptied, lost);
}
