import type { Outgoing } from './outgoing.js';

/** The outcome of a request. `retryAfterMs`: requested by the receiver. */
export type Sent =
  { readonly ok: true } | { readonly ok: false; readonly reason: string; readonly retryAfterMs?: number };

/** The transport to one subscriber. */
export interface Delivery {
  /** Never rejects. */
  send(outgoing: Outgoing): Promise<Sent>;
  close(): void;
}
