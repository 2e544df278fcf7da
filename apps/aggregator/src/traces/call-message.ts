import type { TracedContent } from '@ringdown/contracts/traces';

/** One capture of a packet, as it is stored. */
export interface StoredMessage {
  readonly callId: string;
  /** Microseconds since 1970. */
  readonly at: number;
  readonly frontEnd: string;
  readonly point: string;
  readonly source: MessageAddress;
  readonly destination: MessageAddress;
  readonly content: TracedContent;
  readonly payload: Buffer;
}

export interface MessageAddress {
  readonly ip: string;
  readonly port: number;
}

/** Where and when a message was captured. */
export interface CapturePoint {
  readonly frontEnd: string;
  /** Name or number of the capture agent; null for the sender itself. */
  readonly name: string | null;
  /** Microseconds since 1970, by the clock of the point. */
  readonly at: number;
}

/** A message that was sent once, with every point that captured it. */
export interface CallMessage extends Omit<StoredMessage, 'frontEnd' | 'point'> {
  /** The same in every response. */
  readonly id: string;
  /** The earliest first. */
  readonly points: readonly CapturePoint[];
}
