import type { OutgoingRequest } from './outgoing.js';

/** The outcome of a request. `retryAfterMs`: requested by the receiver. */
export type SendResult =
  { readonly ok: true } | { readonly ok: false; readonly reason: string; readonly retryAfterMs?: number };

/** The transport to one subscriber. */
export interface Transport {
  /** Never rejects. */
  send(outgoing: OutgoingRequest): Promise<SendResult>;
  close(): void;
}
