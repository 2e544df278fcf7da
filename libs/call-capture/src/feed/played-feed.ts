import type { CapturedPacket } from '@ringdown/capture';
import { FailureCounts } from '../failures/failure-counts.js';
import { FrontEndFeed, type FrontEndFeedOptions } from './front-end-feed.js';
import type { PlayedFindings } from './played-findings.js';

/** By less, packets of several interfaces may be out of order; by more, the clock of the capture was set back. */
const SET_BACK_MS = 3_000;
/** In time of the capture. */
const SWEEP_MS = 1_000;
/** Kinds of failed requests in a report. */
const LISTED_FAILURES = 50;

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
      succeededRegistrations: this.succeededRegistrations,
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
