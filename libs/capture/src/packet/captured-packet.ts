/** One network packet as reported by a capture agent. */
export interface CapturedPacket {
  readonly source: TransportAddress;
  readonly destination: TransportAddress;
  /** Capture time by the agent's clock, milliseconds since 1970; absent if the agent sends none. */
  readonly capturedAt?: number;
  readonly content: PacketContent;
  /** Common to the packets of one call; agents that send RTCP put the Call-ID here. */
  readonly correlationId?: string;
  /** Number that the capture agent is configured with. */
  readonly agent?: number;
  /** Name of the agent's node. */
  readonly node?: string;
  /** Differentiated services code point of the IP packet, if it was captured as one. */
  readonly dscp?: number;
  /** Sent by a capture agent: SIP of a connection may be a part of a message, or several. */
  readonly isFromAgent?: true;
  readonly payload: Buffer;
}

export interface TransportAddress {
  /** IPv4, or IPv6 without brackets. */
  readonly ip: string;
  readonly port: number;
}

/** Stands for an address that a capture agent does not send (RFC 1122, 3.2.1.3: no packet has it on the wire). */
export const UNKNOWN_IP = '0.0.0.0';
/** The same for a port. */
export const UNKNOWN_PORT = 0;

export function isKnownIp(ip: string): boolean {
  return ip !== UNKNOWN_IP && ip !== '::';
}

/** Whether a packet can be told from others by this address. */
export function isKnownAddress({ ip, port }: TransportAddress): boolean {
  return isKnownIp(ip) && port !== UNKNOWN_PORT;
}

/**
 * `rtp-statistics`: what a capture agent measured of a stream, as JSON. `other` is everything from a capture agent that is
 * not about calls: logs, DNS.
 */
export type PacketContent = 'sip' | 'rtcp' | 'rtp' | 'rtp-statistics' | 'other';

/** One direction of a connection. */
export type Addresses = Pick<CapturedPacket, 'source' | 'destination'>;

export function directionKey({ source, destination }: Addresses): string {
  return `${source.ip} ${source.port} ${destination.ip} ${destination.port}`;
}
