import type { Channel, PendingEvent } from './channel.js';
import { countOf } from './people-event.js';
import { urgencyOf, type SessionEvent } from './session-event.js';

/**
 * Limits of the pending events of one channel. One message of the bus contains the whole channel and has room for 1 MB.
 */
export interface ChannelBounds {
  /** As the client receives them. */
  readonly events: number;
  /** As they are stored: many events for many people need little (`people-event.ts`). */
  readonly bytes: number;
}

/** The largest subscription, to 1,000 people, makes 2,001 events; as many others as before fit beside them. */
export const BOUNDS: ChannelBounds = { events: 2_500, bytes: 256 * 1024 };

/** What these events count for, against the bounds of their channel. */
export function sizeOf(pending: readonly PendingEvent[]): ChannelBounds {
  const bytes = pending.reduce((sum, { size }) => sum + size, 0);
  return { events: countOf(pending.map(({ event }) => event)), bytes };
}

/**
 * When the pending events have to be delivered, milliseconds since 1970; undefined when there are none. When one event
 * is due, all others are delivered with it. A channel that is half full is due at once.
 */
export function deliveryDueAt({ pending, polling }: Channel, bounds: ChannelBounds = BOUNDS): number | undefined {
  if (pending.length === 0) return undefined;
  const { events, bytes } = sizeOf(pending);
  if (events * 2 > bounds.events || bytes * 2 > bounds.bytes) return 0;
  return Math.min(...pending.map(({ event, since }) => since + holdMs(event, polling)));
}

function holdMs(event: SessionEvent, { low, medium }: Channel['polling']): number {
  const urgency = urgencyOf(event);
  if (urgency === 'high') return 0;
  return (urgency === 'medium' ? medium : low) * 1000;
}

/** Makes the next package of the pending events, for this poll; it is kept until the client acknowledges it. */
export function release(channel: Channel, poll: { token: string; resume: boolean }, now: number): Channel {
  return {
    ...channel,
    last: channel.last + 1,
    held: { events: channel.pending.map(({ event }) => event), resume: poll.resume },
    heldBy: poll.token,
    pending: [],
    waiter: null,
    endedAt: now,
  };
}

/** Delivers what is due to the poll that waits; returns the same channel when no poll waits or nothing is due. */
export function settle(channel: Channel, now: number, bounds: ChannelBounds = BOUNDS): Channel {
  const { waiter } = channel;
  if (waiter === null || waiter.until <= now) return channel;
  const due = deliveryDueAt(channel, bounds);
  return due === undefined || due > now ? channel : release(channel, waiter, now);
}
