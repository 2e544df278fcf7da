import type { ChannelState, Me, Presence } from '../web-interface/index.js';
import type { Roster } from './roster.js';
import type { Threads } from './threads.js';

/** The state of the connection to the server. */
export type PeopleStatus =
  ChannelState | { readonly kind: 'opening' } | { readonly kind: 'failed'; readonly error: unknown };

/** The presence of a person as shown. */
export interface ShownPresence {
  readonly presence?: Presence;
  readonly note?: string;
  readonly location?: string;
}

export interface PeopleState {
  readonly status: PeopleStatus;
  readonly me: Me | undefined;
  readonly own: ShownPresence;
  /** Undefined until it is read. */
  readonly roster: Roster | undefined;
  /** By the address of the contact resource. */
  readonly seen: ReadonlyMap<string, ShownPresence>;
  readonly threads: Threads;
}
