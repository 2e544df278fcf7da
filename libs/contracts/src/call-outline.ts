/** As much of a call as says who talks in it; a part of what the aggregator says of each call that has changed. */
export interface CallOutline {
  /** Compare without regard to case. */
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

/** Asked of the aggregator: the calls in progress after this key. */
export interface CallsInProgressQuestion {
  /** What the page before has given as `next`; null for the first. */
  readonly after: string | null;
}

export interface CallsInProgressPage {
  readonly calls: readonly CallOutline[];
  /** Null on the last page. */
  readonly next: string | null;
}
