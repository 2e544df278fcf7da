import { firstOf } from './backlog.js';
import type { Channel, EventPackage, PendingEvent } from './channel.js';
import { receivedEventCount } from './people-event.js';
import { withDelivered } from './receipts.js';
import { opensPackage, eventUrgency, type SessionEvent } from './session-event.js';

/**
 * Limits of the pending events of one channel. One message of the bus contains the whole channel and has room for 1 MB.
 */
export interface ChannelBounds {
  /** All that wait, as the client receives them. */
  readonly events: number;
  /** Of events that newer ones may still supersede; more are compressed. */
  readonly pendingEvents: number;
  readonly pendingBytes: number;
  /** Of compressed events. */
  readonly backlogBytes: number;
  /** Of the events of one package, as they are stored; one event alone may have more. */
  readonly packageBytes: number;
  /** Of one event. */
  readonly eventBytes: number;
}

/** 250 contacts in 64 groups make 16,000 events, which are 25 MB and compressed 320 KB. */
export const BOUNDS: ChannelBounds = {
  events: 40_000,
  pendingEvents: 2_500,
  pendingBytes: 128 * 1024,
  backlogBytes: 512 * 1024,
  packageBytes: 128 * 1024,
  eventBytes: 192 * 1024,
};

export interface EventsSize {
  /** As the client receives them. */
  readonly events: number;
  readonly bytes: number;
}

/** What these events count for, against the bounds of their channel. */
export function pendingEventsSize(pending: readonly PendingEvent[]): EventsSize {
  const bytes = pending.reduce((sum, { size }) => sum + size, 0);
  return { events: receivedEventCount(pending.map(({ event }) => event)), bytes };
}

/** Whether the channel has room for what waits in it. */
export function fits({ backlog = [], pending }: Channel, bounds: ChannelBounds): boolean {
  const packed = backlog.reduce((sum, { zstd }) => sum + zstd.length, 0);
  const events = backlog.reduce((sum, part) => sum + part.events, pendingEventsSize(pending).events);
  return packed <= bounds.backlogBytes && events <= bounds.events;
}

/**
 * When the pending events have to be delivered, milliseconds since 1970; undefined when there are none. When one event
 * is due, all others are delivered with it. A channel that is half full is due at once.
 */
export function deliveryDueAt(
  { backlog = [], pending, polling }: Channel,
  { pendingBytes, pendingEvents }: ChannelBounds = BOUNDS,
): number | undefined {
  if (backlog.length > 0) return 0;
  if (pending.length === 0) return undefined;
  const { events, bytes } = pendingEventsSize(pending);
  if (events * 2 > pendingEvents || bytes * 2 > pendingBytes) return 0;
  return pending.reduce((due, { event, since }) => Math.min(due, since + holdMs(event, polling)), Infinity);
}

function holdMs(event: SessionEvent, { low, medium }: Channel['polling']): number {
  const urgency = eventUrgency(event);
  if (urgency === 'high') return 0;
  return (urgency === 'medium' ? medium : low) * 1000;
}

/**
 * Makes the next package of the pending events, for this poll; it is kept until the client acknowledges it. What does
 * not fit is due at once, in the packages behind it.
 */
export function release(
  channel: Channel,
  poll: { token: string; resume: boolean },
  now: number,
  bounds: ChannelBounds = BOUNDS,
): Channel {
  const { events, backlog, pending } = nextPackage(channel, bounds);
  return {
    ...withDelivered(channel, events),
    last: channel.last + 1,
    held: { events, resume: poll.resume },
    heldBy: poll.token,
    backlog,
    pending: pending.map((left) => ({ ...left, since: 0 })),
    waiter: null,
    endedAt: now,
  };
}

/** The oldest events, up to the bound or to one that has to open a package. */
function nextPackage(
  { backlog = [], pending }: Channel,
  { packageBytes }: ChannelBounds,
): Required<Pick<Channel, 'backlog' | 'pending'>> & Pick<EventPackage, 'events'> {
  let bytes = 0;
  const hasRoom = (event: SessionEvent, size: number): boolean => {
    const isFirst = bytes === 0;
    bytes += size;
    return isFirst || (bytes <= packageBytes && !opensPackage(event));
  };
  const [oldest, ...later] = backlog;
  if (oldest !== undefined) {
    const { events, rest } = firstOf(oldest, hasRoom);
    return { events, backlog: [...rest, ...later], pending };
  }
  const end = pending.findIndex(({ event, size }) => !hasRoom(event, size));
  const fitting = end === -1 ? pending : pending.slice(0, end);
  return { events: fitting.map(({ event }) => event), backlog, pending: pending.slice(fitting.length) };
}

/** Delivers what is due to the poll that waits; returns the same channel when no poll waits or nothing is due. */
export function settle(channel: Channel, now: number, bounds: ChannelBounds = BOUNDS): Channel {
  const { waiter } = channel;
  if (waiter === null || waiter.until <= now) return channel;
  const due = deliveryDueAt(channel, bounds);
  return due === undefined || due > now ? channel : release(channel, waiter, now, bounds);
}
