import type { Call, CallContent, CallState } from './call.js';
import type { StoredRecord } from './records.js';
import type { Count, Integer, NextCursor, OptionalTime, Text, Time, Verdict } from './values.js';

export interface CallPage {
  readonly items: readonly Call[];
  readonly next: NextCursor;
}

export interface LinkedCall {
  readonly callId: Text;
  /**
   * The common id of the two calls; `replaces`: the other call was replaced by this one (SIP header Replaces)
   * @minItems 1
   */
  readonly by: readonly ('conversation' | 'conference' | 'correlation' | 'replaces' | 'replacedBy')[];
  readonly state: CallState;
  readonly verdict: Verdict;
  readonly beganAt: Time;
  readonly endedAt: OptionalTime;
  /** URIs of its users */
  readonly parties: readonly string[];
}

/** A `Call` with its details */
export interface CallWithRecords extends CallContent {
  /**
   * Other calls of the same conversation, conference, mediation or transfer, the earliest first
   * @maxItems 200
   */
  readonly linked: readonly LinkedCall[];
  /** In the order of their times */
  readonly records: readonly StoredRecord[];
  /** Number of records of this call that are not in `records`: more than can be sent at once, or hidden in time */
  readonly recordsLeftOut: Count;
}

export interface CallsInProgress {
  /** The newest first */
  readonly calls: readonly Call[];
  /** Total number, `calls` included */
  readonly total: Count;
  /** How many of all calls in progress there are of each kind; only when `calls` does not contain all */
  readonly counts?: {
    readonly states: Readonly<Record<string, Integer>>;
    readonly verdicts: Readonly<Record<string, Integer>>;
    /** The 1,000 with most calls; a call of two front ends counts for both */
    readonly frontEnds: Readonly<Record<string, Integer>>;
  };
}
