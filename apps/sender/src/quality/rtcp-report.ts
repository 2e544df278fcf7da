/** The content of one RTCP packet (RFC 3550, 6.4; RFC 3611, 4.7), captured as it is or as JSON. */
export interface RtcpReport {
  /** RTP packets that the reporter itself has sent. */
  readonly sentPackets?: number;
  readonly blocks: readonly ReceptionBlock[];
}

/** What the reporter received of one stream. */
export interface ReceptionBlock {
  /** Share of the packets since the previous report, 0 to 1. */
  readonly lossRate?: number;
  /** In units of the codec's clock. */
  readonly jitterTicks?: number;
  readonly voice?: VoiceMeasures;
}

/** Measurements of a whole call, or of the call so far. */
export interface VoiceMeasures {
  readonly packets?: number;
  /** 0 to 1. */
  readonly lossRate?: number;
  readonly jitterMs?: number;
  readonly jitterMaxMs?: number;
  readonly roundTripMs?: number;
  /** Listening quality MOS, 1 to 5. */
  readonly listeningMos?: number;
  readonly burstMs?: number;
  readonly gapMs?: number;
}
