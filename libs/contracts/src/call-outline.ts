/** The participants of a call; a part of what the aggregator publishes about each changed call. */
export interface CallOutline {
  /** Compared without regard to case. */
  readonly callId: string;
  /** Grows with every change of the call. */
  readonly version: number;
  readonly state: string;
  readonly streams: readonly StreamOutline[];
  readonly parties: readonly PartyOutline[];
}

export interface StreamOutline {
  readonly state: string;
  readonly from: PartyOutline | null;
  readonly to: PartyOutline | null;
}

export interface PartyOutline {
  readonly uri?: string;
}

/** Request to the aggregator for the calls in progress after this key. */
export interface CallsInProgressRequest {
  /** `next` of the previous page; null for the first. */
  readonly after: string | null;
}

export interface CallsInProgressPage {
  readonly calls: readonly CallOutline[];
  /** Null on the last page. */
  readonly next: string | null;
}
