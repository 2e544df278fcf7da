import type { Buckets } from '../buckets.js';
import type { MinuteLoad } from '../hours/packed-minutes.js';
import type { LoadRow } from './load-rows.js';
import { MINUTE_SECONDS } from './load-sums.js';
import { nthSmallest } from './nth-smallest.js';

/** A largest number, and the first minute that has it. */
interface Peak {
  most: number;
  minute: number;
}

/** Percent of the minutes. */
const P95 = 95;

/**
 * Adds up the minutes of one value, in any order, to what `loadSums` says of them. Minutes are counted from the beginning of the period; of
 * a long one there are a hundred thousand for each value.
 */
export class LoadSum {
  private readonly minutes: number;
  private readonly minutesOfBucket: number;
  private readonly peak: Peak = { most: 0, minute: 0 };
  private readonly widest: Peak = { most: 0, minute: 0 };
  private readonly busiest: Peak = { most: 0, minute: 0 };
  private attempts = 0;
  private minutesAbove = 0;
  private added = 0;
  /** Of each minute that was added. */
  private readonly calls: Float64Array;
  private readonly averages: Float64Array;
  private readonly buckets: {
    readonly filled: Uint8Array;
    readonly calls: Float64Array;
    readonly averages: Float64Array;
    readonly maximums: Float64Array;
    readonly begun: Float64Array;
    readonly most: Float64Array;
  };

  /** `limit`: calls that it may have at a time. */
  constructor(
    { from, to, seconds }: Buckets,
    private readonly limit: number | undefined,
  ) {
    this.minutes = Math.ceil((to.getTime() - from.getTime()) / (MINUTE_SECONDS * 1_000));
    this.minutesOfBucket = seconds / MINUTE_SECONDS;
    [this.calls, this.averages] = [new Float64Array(this.minutes), new Float64Array(this.minutes)];
    const length = Math.ceil(this.minutes / this.minutesOfBucket);
    const zeros = (): Float64Array => new Float64Array(length);
    const filled = new Uint8Array(length);
    this.buckets = { filled, calls: zeros(), averages: zeros(), maximums: zeros(), begun: zeros(), most: zeros() };
  }

  add(minute: number, { calls, average, maximum, begun }: Omit<MinuteLoad, 'minute'>): void {
    raise(this.peak, calls, minute);
    raise(this.widest, average, minute);
    raise(this.busiest, begun, minute);
    this.attempts += begun;
    if (this.limit !== undefined && calls > this.limit) this.minutesAbove++;
    this.calls[this.added] = calls;
    this.averages[this.added] = average;
    this.added++;
    const { buckets } = this;
    const bucket = Math.floor(minute / this.minutesOfBucket);
    buckets.filled[bucket] = 1;
    buckets.calls[bucket] = Math.max(buckets.calls[bucket] ?? 0, calls);
    buckets.averages[bucket] = Math.max(buckets.averages[bucket] ?? 0, average);
    buckets.maximums[bucket] = Math.max(buckets.maximums[bucket] ?? 0, maximum);
    buckets.begun[bucket] = (buckets.begun[bucket] ?? 0) + begun;
    buckets.most[bucket] = Math.max(buckets.most[bucket] ?? 0, begun);
  }

  row(): Omit<LoadRow, 'value' | 'values'> {
    const { buckets } = this;
    const filled = [...buckets.filled.keys()].filter((bucket) => buckets.filled[bucket] === 1);
    const of = (numbers: Float64Array): readonly number[] => filled.map((bucket) => numbers[bucket] ?? 0);
    return {
      peak: this.peak.most,
      peakMinute: this.peak.minute,
      p95Calls: this.percentile(this.calls),
      p95Average: this.percentile(this.averages),
      widest: this.widest.most,
      widestMinute: this.widest.minute,
      attempts: this.attempts,
      busiest: this.busiest.most,
      busiestMinute: this.busiest.minute,
      limit: this.limit ?? null,
      minutesAbove: this.limit === undefined ? null : this.minutesAbove,
      buckets: filled,
      calls: of(buckets.calls),
      averages: of(buckets.averages),
      maximums: of(buckets.maximums),
      begun: of(buckets.begun),
      most: of(buckets.most),
    };
  }

  /** What 95 % of all minutes do not exceed; those that were not added have 0. */
  private percentile(loads: Float64Array): number {
    const rank = Math.ceil((P95 * this.minutes) / 100);
    return nthSmallest(loads.subarray(0, this.added), rank - 1 - (this.minutes - this.added)) ?? 0;
  }
}

function raise(peak: Peak, load: number, minute: number): void {
  if (load < peak.most || (load === peak.most && minute >= peak.minute)) return;
  peak.most = load;
  peak.minute = minute;
}
