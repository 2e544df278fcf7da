import type { SipMessage } from '../../sip/sip-message.js';
import type { PacketHosts } from './message-hop.js';

/** A SIP message with the times of its capture and arrival. */
export interface ObservedMessage extends PacketHosts {
  readonly message: SipMessage;
  /** When it was on the wire, by the clock of the capture agent; milliseconds since 1970, with a fraction. */
  readonly capturedAt: number;
  /** When the sender received it, by a monotonic clock; milliseconds. Waits and time limits use this one. */
  readonly arrivedAt: number;
}
