import type { CapturedPacket } from '@ringdown/capture';

/** What has a place in its file, the number of a line or packet, for messages. */
export interface Placed {
  readonly place: string;
}

export interface Timed extends Placed {
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** One packet of a capture, or what was not read. */
export type CaptureEntry =
  | (Timed & { readonly kind: 'packet'; readonly packet: CapturedPacket })
  /** The rest of the file is invalid or truncated. */
  | (Placed & { readonly kind: 'unreadable'; readonly reason: string })
  /** A kind of packets in a capture that was not read, and how many there are. */
  | { readonly kind: 'not-read'; readonly count: number; readonly text: string }
  /** The file as a whole contains nothing to send. */
  | { readonly kind: 'nothing'; readonly reason: string };

/** Progress of reading a file. */
export interface ReadProgress {
  /** How many bytes were read. */
  bytes: number;
  /** How many packets of a capture, if they are counted. */
  packets?: number;
}
