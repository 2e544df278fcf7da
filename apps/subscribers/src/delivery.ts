import type { Outgoing } from './outgoing.js';

/** How a request went. `retryAfterMs` is what the receiver asked for. */
export type Sent =
  { readonly ok: true } | { readonly ok: false; readonly reason: string; readonly retryAfterMs?: number };

/** The way to one subscriber. */
export interface Delivery {
  /** Never rejects. */
  send(outgoing: Outgoing): Promise<Sent>;
  close(): void;
}
