import { withPacked } from './backlog.js';
import type { Channel, PendingEvent } from './channel.js';
import { remainderOf } from './people-event.js';
import { withWithdrawn } from './receipts.js';
import { BOUNDS, fits, settle, pendingEventsSize, type ChannelBounds, type EventsSize } from './release.js';
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
  const { full, pending } = merged(channel.pending, events, now, bounds);
  const backlog = withPacked(
    channel.backlog ?? [],
    full.map(({ event }) => event),
  );
  const after = { ...channel, backlog, pending };
  const isTooLarge = [...full, ...pending].some(({ size }) => size > bounds.eventBytes);
  return isTooLarge || !fits(after, bounds) ? overflow(after, now) : settle(after, now, bounds);
}

/** What is pending then; `full` are the events before it, which are too many to be superseded one by one. */
function merged(
  before: readonly PendingEvent[],
  events: readonly SessionEvent[],
  now: number,
  { pendingBytes, pendingEvents }: ChannelBounds,
): { readonly full: readonly PendingEvent[]; readonly pending: readonly PendingEvent[] } {
  const full: PendingEvent[] = [];
  let pending = [...before];
  let size = pendingEventsSize(pending);
  for (const event of events) {
    const added = add(pending, event, now);
    size = { events: size.events + added.events, bytes: size.bytes + added.bytes };
    if (size.bytes <= pendingBytes && size.events <= pendingEvents) continue;
    full.push(...pending);
    [pending, size] = [[], pendingEventsSize([])];
  }
  return { full, pending };
}

/** Adds the event behind the others in place of the one that it supersedes, and returns how much that adds. */
function add(pending: PendingEvent[], event: SessionEvent, now: number): EventsSize {
  let since = now;
  let replaced = pendingEventsSize([]);
  for (const [place, older] of pending.entries()) {
    const left = remainderOf(older.event, event);
    if (left === older.event) continue;
    // Its waiting time counts from the older one.
    const rest = left === undefined ? [] : [pendingEvent(left, older.since)];
    pending.splice(place, 1, ...rest);
    replaced = difference(pendingEventsSize([older]), pendingEventsSize(rest));
    since = Math.min(since, older.since);
    break;
  }
  const added = pendingEvent(event, since);
  pending.push(added);
  return difference(pendingEventsSize([added]), replaced);
}

function pendingEvent(event: SessionEvent, since: number): PendingEvent {
  return { event, since, size: Buffer.byteLength(JSON.stringify(event)) };
}

function difference(one: EventsSize, other: EventsSize): EventsSize {
  return { events: one.events - other.events, bytes: one.bytes - other.bytes };
}

/**
 * Also ends the poll that waits, which would otherwise wait for a package that does not exist. A sender that waits for
 * a receipt of a lost event learns that the event was not delivered.
 */
function overflow(channel: Channel, now: number): Channel {
  const ended = channel.waiter === null ? {} : { heldBy: channel.waiter.token, endedAt: now };
  const { backlog = [], pending, last } = channel;
  const lost = [...backlog.flatMap(({ receipts }) => receipts), ...pending.flatMap(({ event }) => event.receipt ?? [])];
  const emptied = { ...channel, last: last + 1, held: null, backlog: [], pending: [], waiter: null, ...ended };
  return withWithdrawn(emptied, lost);
}
