import type { PackedEvents } from './backlog.js';
import type { Receipt, SessionEvent } from './session-event.js';

/**
 * The event channel of one instance of an application: its whole state, as it is stored. Every change makes a new
 * state, written with the revision of the old one, so that all replicas see the same changes in the same order.
 */
export interface Channel {
  readonly v: 1;
  /** Number of the newest package that was delivered; 0 before the first. */
  readonly last: number;
  /**
   * That package, until the client has acknowledged it with the request for the next; null when it is acknowledged or
   * lost.
   */
  readonly held: EventPackage | null;
  /** Token of the poll that received it last. */
  readonly heldBy: string | null;
  /** Events for the packages to come that are too many for `pending`; delivered before it, the oldest first. */
  readonly backlog?: readonly PackedEvents[];
  /** Events for the packages to come, the oldest first. */
  readonly pending: readonly PendingEvent[];
  readonly polling: PollSettings;
  /** The poll that waits, if there is one. */
  readonly waiter: Waiter | null;
  /** When the newest poll that does not wait any more ended, milliseconds since 1970; null before the first. */
  readonly endedAt: number | null;
  /** Sources that number their events, each with the last number that was appended; the most recent source is last. */
  readonly heard?: readonly (readonly [source: string, sequence: number])[];
  /** The newest events that their source has withdrawn: versions before take all others for delivered. */
  readonly takenBack?: readonly Receipt[];
  /** The newest events that a client has got; versions before did not store them. */
  readonly delivered?: readonly Receipt[];
}

export interface EventPackage {
  readonly events: readonly SessionEvent[];
  /** True when the client has to discard what it knew of the session. */
  readonly resume: boolean;
}

export interface PendingEvent {
  readonly event: SessionEvent;
  /** When it, or the oldest event that it replaces, was appended, milliseconds since 1970; 0 for what is left of a delivery. */
  readonly since: number;
  /** Bytes of its JSON. */
  readonly size: number;
}

/**
 * What a client chooses for its polls; valid until the client changes it (web-interface.md, section 7). Times in
 * seconds.
 */
export interface PollSettings {
  /** How long an event of low urgency may wait for others. */
  readonly low: number;
  readonly medium: number;
  /** After this time a poll gets a response without events. */
  readonly timeout: number;
  /** A poll ends a waiting poll of the same or a lower priority. */
  readonly priority: number;
}

export interface Waiter {
  /** Identifies the poll; the part before the dot identifies the replica that holds it. */
  readonly token: string;
  readonly priority: number;
  /** When it ends without events, milliseconds since 1970. */
  readonly until: number;
  readonly resume: boolean;
}

export const DEFAULT_POLLING: PollSettings = { low: 15, medium: 5, timeout: 180, priority: 0 };

export const NEW_CHANNEL: Channel = {
  v: 1,
  last: 0,
  held: null,
  heldBy: null,
  pending: [],
  polling: DEFAULT_POLLING,
  waiter: null,
  endedAt: null,
};

/** Number of the package that the client has to request next, as far as the channel knows. */
export function firstUnacknowledged({ last, held }: Channel): number {
  return held === null ? last + 1 : last;
}

/**
 * When the channel was last used, milliseconds since 1970; undefined when it never was. A poll that waits counts as
 * use.
 */
export function lastUse({ waiter, endedAt }: Channel, now: number): number | undefined {
  const parked = waiter === null ? undefined : Math.min(now, waiter.until);
  return parked === undefined ? (endedAt ?? undefined) : Math.max(parked, endedAt ?? 0);
}
