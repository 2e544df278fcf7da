import type { CountedFailure } from '../failures/failure-counts.js';

/** What a capture shows beside its calls. */
export interface PlayedFindings {
  /** Calls that the version of the records cannot express. */
  readonly unreportedCalls: number;
  /** Quality reports that count for no stream, by reason. */
  readonly uncountedReports: Readonly<Record<string, number>>;
  /** SIP messages of calls that fit no call, or only in part, by reason. */
  readonly unplacedMessages: Readonly<Record<string, number>>;
  /** RTP packets that count for no call, by reason. */
  readonly uncountedRtp: Readonly<Record<string, number>>;
  /** Registrations that were accepted. */
  readonly succeededRegistrations: number;
  /** Of all kinds, also of those that are not listed. */
  readonly failedRequestsTotal: number;
  /** Failed requests outside of calls, the most frequent kinds first. */
  readonly failedRequests: readonly CountedFailure[];
}

export const NOTHING_PLAYED: PlayedFindings = {
  unreportedCalls: 0,
  uncountedReports: {},
  unplacedMessages: {},
  uncountedRtp: {},
  succeededRegistrations: 0,
  failedRequestsTotal: 0,
  failedRequests: [],
};
