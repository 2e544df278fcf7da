import type { SipMessage } from '../sip/sip-message.js';

/** A SIP message, and how the sender came to know of it. */
export interface SeenMessage {
  readonly message: SipMessage;
  /** When it was on the wire, by the clock of whoever captured it; milliseconds since 1970, with a fraction. */
  readonly capturedAt: number;
  /** When the sender got it, by a clock that never jumps; milliseconds. What waits and expires goes by this one. */
  readonly arrivedAt: number;
}
