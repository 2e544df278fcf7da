import type { CapturedPacket } from '@ringdown/capture';
import { FailureCounts, type CountedFailure } from '../failures/failure-counts.js';
import { FrontEndFeed, type FrontEndFeedOptions } from './front-end-feed.js';

/** By less, packets of several interfaces may be out of order; by more, the clock of the capture was set back. */
const SET_BACK_MS = 3_000;
/** In time of the capture. */
const SWEEP_MS = 1_000;
/** Kinds of failed requests in a report. */
const LISTED_FAILURES = 50;

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
  failedRequestsTotal: 0,
  failedRequests: [],
};

/** Makes records of packets that were captured before: their times are the clock. */
export class PlayedFeed extends FrontEndFeed {
  private sweptAt = 0;
  /** Follows the times of the packets, and goes on where they jump back. */
  private clock = 0;
  private clockOffset = 0;
  private readonly failures: FailureCounts;

  constructor(options: Omit<FrontEndFeedOptions, 'onRequestFailure'>) {
    const failures = new FailureCounts();
    super({ ...options, onRequestFailure: (failure) => failures.add(failure) });
    this.failures = failures;
  }

  get findings(): PlayedFindings {
    return {
      unreportedCalls: this.unreportedCalls,
      uncountedReports: withoutZeros(this.counts.uncounted),
      unplacedMessages: withoutZeros(this.counts.unplaced),
      uncountedRtp: withoutZeros(this.uncountedRtp),
      failedRequestsTotal: this.failures.total,
      failedRequests: this.failures.top(LISTED_FAILURES),
    };
  }

  /** `at`: milliseconds since 1970. */
  play(packet: CapturedPacket, at: number): void {
    if (at + this.clockOffset < this.clock - SET_BACK_MS) this.clockOffset = this.clock - at;
    this.clock = Math.max(this.clock, at + this.clockOffset);
    this.process(packet, this.clock, at);
    if (this.clock - this.sweptAt < SWEEP_MS) return;
    this.sweptAt = this.clock;
    this.sweep(this.clock);
  }
}

function withoutZeros(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
