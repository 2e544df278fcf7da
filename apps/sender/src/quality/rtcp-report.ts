/** What one RTCP packet says (RFC 3550, 6.4; RFC 3611, 4.7), whether it was captured as it is or as JSON. */
export interface RtcpReport {
  /** RTP packets that the reporter itself has sent. */
  readonly sentPackets?: number;
  readonly blocks: readonly ReceptionBlock[];
}

/** What the reporter received of one stream. */
export interface ReceptionBlock {
  /** Of the packets since the report before, 0 to 1. */
  readonly lossRate?: number;
  /** In units of the codec's clock. */
  readonly jitterTicks?: number;
  readonly voice?: VoiceMeasures;
}

/** Measures of a whole call or the part of it that has passed. */
export interface VoiceMeasures {
  readonly packets?: number;
  /** 0 to 1. */
  readonly lossRate?: number;
  readonly jitterMs?: number;
  readonly jitterMaxMs?: number;
  readonly roundTripMs?: number;
  /** MOS of what was heard, 1 to 5. */
  readonly listeningMos?: number;
  readonly burstMs?: number;
  readonly gapMs?: number;
}
