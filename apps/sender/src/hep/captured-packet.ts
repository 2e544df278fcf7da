/** One packet of the network as a capture agent tells of it. */
export interface CapturedPacket {
  readonly source: TransportAddress;
  readonly destination: TransportAddress;
  /** When the agent saw it by its own clock, milliseconds since 1970; absent where it does not say. */
  readonly capturedAt?: number;
  readonly content: PacketContent;
  /** What joins it with others of one call; agents that send RTCP put the Call-ID here. */
  readonly correlationId?: string;
  /** Name of the agent's node. */
  readonly node?: string;
  readonly payload: Buffer;
}

export interface TransportAddress {
  /** IPv4, or IPv6 without brackets. */
  readonly ip: string;
  readonly port: number;
}

/** `other` is everything that a capture agent may send and that says nothing of calls: logs, DNS, statistics. */
export type PacketContent = 'sip' | 'rtcp' | 'other';
