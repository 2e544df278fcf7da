import type { CapturedPacket, TransportAddress } from '@ringdown/capture';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { SipMessage } from '../sip/sip-message.js';
import { callIdIn, type CallIdForm } from './call-id-form.js';

/** A captured message of a call. */
export interface CapturedMessage {
  /** As in the records of the call. */
  readonly callId: string;
  /** Microseconds since 1970, by the clock of the capture agent. */
  readonly at: number;
  readonly source: TransportAddress;
  readonly destination: TransportAddress;
  readonly content: 'sip' | 'rtcp';
  /** Name or number of the capture agent; empty if there is none. */
  readonly point: string;
  /** Base64. */
  readonly payload: string;
}

export interface CallMessagesOptions {
  /** Default: `sip`. */
  readonly callIdForm?: CallIdForm | undefined;
  readonly hiding?: IdentityHiding | undefined;
  /** Whether RTCP of calls is passed on. */
  readonly rtcp: boolean;
  readonly onMessage: (message: CapturedMessage) => void;
  /** A message that is too large to be sent. */
  readonly onTooLarge: () => void;
}

/** Methods that only calls use. */
const OF_CALLS: ReadonlySet<string> = new Set(['INVITE', 'ACK', 'BYE', 'CANCEL', 'PRACK', 'UPDATE']);
/** Larger messages do not fit into a packet of UDP. */
const PAYLOAD_BYTES = 65_000;
const POINT_CHARACTERS = 64;
/** The year 2100, microseconds since 1970. */
const LATEST = 4_102_444_800_000_000;
/** Calls whose other messages are recognised; beyond that the oldest is forgotten. */
const MAX_CALLS = 20_000;

/** Picks the messages of calls from captured packets: those of registrations, presence and pings are left out. */
export class CallMessages {
  private readonly calls = new Set<string>();

  constructor(private readonly options: CallMessagesOptions) {}

  /** `callId`: of the records of its call. */
  onSip({ method }: SipMessage, callId: string, packet: CapturedPacket, capturedAt: number): void {
    if (OF_CALLS.has(method)) this.remember(callId);
    else if (!this.calls.has(callId)) return;
    const { hiding } = this.options;
    const payload = hiding ? Buffer.from(hiding.sipMessage(packet.payload.toString('utf8'))) : packet.payload;
    this.emit(callId, packet, capturedAt, 'sip', payload);
  }

  get takesRtcp(): boolean {
    return this.options.rtcp;
  }

  /** `callId`: from the capture agent, or by the addresses and sources of the call's media. */
  onRtcp(packet: CapturedPacket, callId: string, capturedAt: number): void {
    const { rtcp, hiding } = this.options;
    const { payload } = packet;
    if (!rtcp || !this.calls.has(callId)) return;
    this.emit(callId, packet, capturedAt, 'rtcp', hiding ? hiding.rtcp(payload) : payload);
  }

  private emit(
    callId: string,
    { source, destination, agent, node }: CapturedPacket,
    capturedAt: number,
    content: CapturedMessage['content'],
    payload: Buffer,
  ): void {
    const { callIdForm = 'sip', hiding, onMessage, onTooLarge } = this.options;
    if (payload.length === 0) return;
    if (payload.length > PAYLOAD_BYTES) return onTooLarge();
    const named = callIdIn(callIdForm, callId);
    const point = node ?? (agent === undefined ? '' : String(agent));
    onMessage({
      callId: hiding ? hiding.field(named, 'callId') : named,
      at: Math.min(Math.max(Math.round(capturedAt * 1_000), 0), LATEST),
      source: { ip: source.ip, port: source.port },
      destination: { ip: destination.ip, port: destination.port },
      content,
      point: point.toWellFormed().slice(0, POINT_CHARACTERS).toWellFormed(),
      payload: payload.toString('base64'),
    });
  }

  private remember(callId: string): void {
    // The newest at the end.
    this.calls.delete(callId);
    this.calls.add(callId);
    if (this.calls.size <= MAX_CALLS) return;
    const [oldest] = this.calls;
    if (oldest !== undefined) this.calls.delete(oldest);
  }
}
