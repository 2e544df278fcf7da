/** The content of one RTCP packet (RFC 3550, 6.4; RFC 3611, 4.7), captured as it is or as JSON. */
export interface RtcpReport {
  /** All SSRCs of the reporter in the packet. */
  readonly ssrcs: readonly number[];
  readonly cnames: readonly string[];
  /** What the reporter itself has sent. */
  readonly senders: readonly SenderReport[];
  readonly blocks: readonly ReceptionBlock[];
  /** A report without blocks: nothing arrived since the previous one (RFC 3550, 6.4). */
  readonly receivedNothing?: true;
}

export interface SenderReport {
  readonly ssrc?: number;
  /** RTP packets so far. */
  readonly packets?: number;
  /** The middle 32 bits of its NTP time, which the receiver returns as `lsr` (RFC 3550, 6.4.1). */
  readonly stamp?: number;
}

/** What the reporter received of one stream. */
export interface ReceptionBlock {
  /** Of the stream. */
  readonly ssrc?: number;
  /** Share of the packets since the previous report, 0 to 1. */
  readonly lossRate?: number;
  /** Since the beginning; negative if duplicates arrived. Absent also where the field is full. */
  readonly lost?: number;
  /** The highest sequence number received, with its cycles: 32 bits. */
  readonly highest?: number;
  /** In units of the codec's clock. */
  readonly jitterTicks?: number;
  /** The last sender report that it received, and how long before: 1/65,536 s. */
  readonly lastReport?: { readonly stamp: number; readonly delay: number };
  readonly voice?: VoiceMeasures;
}

/** Measurements of a whole call, or of the call so far. */
export interface VoiceMeasures {
  readonly packets?: number;
  /** 0 to 1. */
  readonly lossRate?: number;
  /** The highest of a few seconds. */
  readonly lossMaxRate?: number;
  readonly jitterMs?: number;
  readonly jitterMaxMs?: number;
  readonly roundTripMs?: number;
  /** Listening quality MOS, 1 to 5. */
  readonly listeningMos?: number;
  readonly burstMs?: number;
  readonly gapMs?: number;
  /** Share of lost packets in bursts and in gaps, 0 to 1. */
  readonly burstDensity?: number;
  readonly gapDensity?: number;
  /** By the E-model, from loss and delay (ITU-T G.107): not a listener’s judgement. */
  readonly computedMos?: number;
}

/** Packets of other kinds, such as BYE, have none. */
export function hasReports({ senders, blocks }: RtcpReport): boolean {
  return senders.length + blocks.length > 0;
}
