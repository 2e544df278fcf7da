/** Stream with the newest changes of calls. */
export const CALL_CHANGES_STREAM = 'CALL_CHANGES';

/**
 * The calls that have changed, after the database has stored the change; without calls: a change may have been missed.
 */
export const CALLS_CHANGED_SUBJECT = 'ringdown.calls.changed';

/** Changed calls in their newest state, published after the database has stored them. */
export interface CallsChanged<C> {
  readonly calls: readonly C[];
}

/** Request and reply: the participants of the calls in progress, from the aggregator's database. */
export const CALLS_IN_PROGRESS_PATTERN = 'ringdown.calls.in-progress';

/** The participants of a call; a part of what the aggregator publishes about each changed call. */
export interface CallOutline {
  /** Compared without regard to case. */
  readonly callId: string;
  /** Grows with every change of the call. */
  readonly version: number;
  readonly state: string;
  /** Who reported it: calls of uploads say nothing of who is in a call now. */
  readonly feeds?: readonly string[];
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
