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
  readonly payload: Buffer;
}

export interface TransportAddress {
  /** IPv4, or IPv6 without brackets. */
  readonly ip: string;
  readonly port: number;
}

/** `other` is everything from a capture agent that is not about calls: logs, DNS, statistics. */
export type PacketContent = 'sip' | 'rtcp' | 'other';

/** One direction of a connection. */
export type Addresses = Pick<CapturedPacket, 'source' | 'destination'>;

export function directionKey({ source, destination }: Addresses): string {
  return `${source.ip} ${source.port} ${destination.ip} ${destination.port}`;
}
