import {
  DEFAULT_POLLING,
  firstUnacknowledged,
  lastUse,
  type Channel,
  type EventPackage,
  type PollSettings,
} from './channel.js';
import { BOUNDS, deliveryDueAt, release, type ChannelBounds } from './release.js';

export interface PollRequest {
  /**
   * Number of the requested package, which acknowledges the one before; undefined requests the next one, whatever its
   * number.
   */
  readonly ack: number | undefined;
  /** The settings that the client changes with this poll. */
  readonly settings: Partial<PollSettings>;
  /** Identifies this poll among all others; the part before the dot is the replica. */
  readonly token: string;
}

export interface PollRules {
  /** A channel without a poll for this long is dead, milliseconds. */
  readonly gapMs: number;
  /** After this long without a poll the client has to start over, milliseconds. */
  readonly resumeMs: number;
  /** The longest that any poll waits, seconds. */
  readonly maxWaitSeconds: number;
  readonly bounds: ChannelBounds;
}

export const POLL_RULES: PollRules = {
  gapMs: 15 * 60 * 1000,
  resumeMs: 10 * 60 * 1000,
  maxWaitSeconds: 1_800,
  bounds: BOUNDS,
};

export type PollOutcome =
  /** The requested package. */
  | { readonly kind: 'package'; readonly number: number; readonly package: EventPackage }
  /** The package does not exist yet: wait until then. */
  | { readonly kind: 'wait'; readonly number: number; readonly until: number; readonly resume: boolean }
  /** There is no package with this number: the client has to request this one. */
  | { readonly kind: 'resync'; readonly number: number }
  /** A poll of higher priority waits. */
  | { readonly kind: 'refused'; readonly by: string }
  /** Too long without a poll: the channel is dead. */
  | { readonly kind: 'expired' };

export interface Polled {
  readonly channel: Channel;
  readonly result: PollOutcome;
}

/** What a poll does to the channel, and its outcome (web-interface.md, section 7). */
export function poll(before: Channel, request: PollRequest, now: number, rules: PollRules = POLL_RULES): Polled {
  const idleMs = now - (lastUse(before, now) ?? now);
  if (idleMs > rules.gapMs) return { channel: before, result: { kind: 'expired' } };
  const ack = request.ack ?? firstUnacknowledged(before);
  const held = ack === before.last ? before.held : null;
  if (held === null && ack !== before.last + 1) {
    return { channel: before, result: { kind: 'resync', number: firstUnacknowledged(before) } };
  }
  const resume = idleMs >= rules.resumeMs;
  const polling = { ...(resume ? DEFAULT_POLLING : before.polling), ...request.settings };
  if (held !== null) {
    const channel = { ...before, polling, heldBy: request.token, endedAt: now };
    return { channel, result: { kind: 'package', number: ack, package: held } };
  }
  const { waiter } = before;
  const hasHigherPriority = waiter !== null && waiter.until > now && waiter.priority > polling.priority;
  if (hasHigherPriority && waiter.token !== request.token) {
    return { channel: before, result: { kind: 'refused', by: waiter.token } };
  }
  return waitOrRelease({ ...before, polling, held: null }, request.token, resume, now, rules);
}

/** The poll requests a package that does not exist yet: it is made when something is due; otherwise the poll waits. */
function waitOrRelease(channel: Channel, token: string, resume: boolean, now: number, rules: PollRules): Polled {
  const number = channel.last + 1;
  const due = deliveryDueAt(channel, rules.bounds);
  if (due !== undefined && due <= now) {
    const released = release(channel, { token, resume }, now, rules.bounds);
    const events = released.held?.events ?? [];
    return { channel: released, result: { kind: 'package', number, package: { events, resume } } };
  }
  const until = now + Math.min(channel.polling.timeout, rules.maxWaitSeconds) * 1000;
  const waiter = { token, priority: channel.polling.priority, until, resume };
  return { channel: { ...channel, waiter }, result: { kind: 'wait', number, until, resume } };
}

export type WaiterState =
  | { readonly kind: 'package'; readonly number: number; readonly package: EventPackage }
  | { readonly kind: 'resync'; readonly number: number }
  /** Another poll has replaced it. */
  | { readonly kind: 'replaced' }
  /** Still waits; `due` says when pending events have to be delivered, undefined when there are none. */
  | { readonly kind: 'waits'; readonly due: number | undefined };

/** The outcome of a waiting poll, from the channel as it is now. */
export function pollWaiterState(channel: Channel, token: string, bounds: ChannelBounds = BOUNDS): WaiterState {
  if (channel.waiter?.token === token) return { kind: 'waits', due: deliveryDueAt(channel, bounds) };
  if (channel.heldBy !== token) return { kind: 'replaced' };
  return channel.held === null
    ? { kind: 'resync', number: firstUnacknowledged(channel) }
    : { kind: 'package', number: channel.last, package: channel.held };
}

/** Removes a poll that does not wait any more because its client has disconnected. */
export function withdraw(channel: Channel, token: string, now: number): Channel {
  return channel.waiter?.token === token ? { ...channel, waiter: null, endedAt: now } : channel;
}
