import type { Receipt, SessionEvent } from './session-event.js';

/**
 * The event channel of one instance of an application: all that there is to know about it, as it is stored. Every
 * change makes a new one, written with the revision of the old, so that all replicas see the same changes in the same
 * order.
 */
export interface Channel {
  readonly v: 1;
  /** Number of the newest package that was handed out; 0 before the first. */
  readonly last: number;
  /** That package, until the client has acknowledged it by asking for the next; null when it is acknowledged or lost. */
  readonly held: EventPackage | null;
  /** Token of the poll that was given it last. */
  readonly heldBy: string | null;
  /** Events for the packages to come, the oldest first. */
  readonly pending: readonly PendingEvent[];
  readonly polling: PollSettings;
  /** The poll that waits, if one does. */
  readonly waiter: Waiter | null;
  /** When the newest poll that does not wait any more ended, milliseconds since 1970; null before the first. */
  readonly endedAt: number | null;
  /** Sources that number their events, each with the last number that was put in; the one heard last at the end. */
  readonly heard?: readonly (readonly [source: string, sequence: number])[];
  /** The newest that were taken back by their source. */
  readonly takenBack?: readonly Receipt[];
}

export interface EventPackage {
  readonly events: readonly SessionEvent[];
  /** True when what the client knew of the session was reset before. */
  readonly resume: boolean;
}

export interface PendingEvent {
  readonly event: SessionEvent;
  /** Since when the client has something to learn from it, milliseconds since 1970. */
  readonly since: number;
  /** Bytes of its JSON. */
  readonly size: number;
}

/** What a client chooses for its polls; kept until it chooses anew (web-interface.md, section 7). Times in seconds. */
export interface PollSettings {
  /** How long an event of low urgency may wait for others. */
  readonly low: number;
  readonly medium: number;
  /** After how long an answer without events is given. */
  readonly timeout: number;
  /** A poll ends one that waits with the same priority or a lower one. */
  readonly priority: number;
}

export interface Waiter {
  /** Names the poll, and in front of a dot the replica that holds it. */
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

/** Number of the package that the client has to ask for next as far as is known here. */
export function firstUnacknowledged({ last, held }: Channel): number {
  return held === null ? last + 1 : last;
}

/** When the channel was last in use, milliseconds since 1970; undefined when it never was. A poll that waits is use. */
export function lastUse({ waiter, endedAt }: Channel, now: number): number | undefined {
  const parked = waiter === null ? undefined : Math.min(now, waiter.until);
  return parked === undefined ? (endedAt ?? undefined) : Math.max(parked, endedAt ?? 0);
}
