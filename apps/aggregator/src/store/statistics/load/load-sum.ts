import type { Buckets } from '../buckets.js';
import type { MinuteLoad } from '../hours/packed-minutes.js';
import type { HourSummary } from '../hours/packed-summary.js';
import type { LoadRow } from './load-rows.js';
import { MINUTE_SECONDS } from './load-sums.js';
import { nthSmallest } from './nth-smallest.js';

/** A largest number, and the first minute that has it. */
interface Peak {
  most: number;
  minute: number;
}

/** What a minute or an hour adds to its bucket. `busiest`: calls that began in the minute of it in which most did. */
interface BucketLoad extends Omit<MinuteLoad, 'minute'> {
  readonly busiest: number;
}

/** More than an hour has. */
const FEW_MINUTES = 1_024;
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
  private calls = new Float64Array(FEW_MINUTES);
  private averages = new Float64Array(FEW_MINUTES);
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
    this.makeRoom(1);
    this.calls[this.added] = calls;
    this.averages[this.added] = average;
    this.added++;
    this.addToBucket(minute, { calls, average, maximum, begun, busiest: begun });
  }

  /** An hour whose minutes are all in one bucket. `minute`: its first one. */
  addHour(minute: number, hour: HourSummary): void {
    const [calls, average] = [hour.calls[0] ?? 0, hour.averages[0] ?? 0];
    const { begun, busiest, maximum, minutes } = hour;
    raise(this.peak, calls, minute + hour.peakMinute);
    raise(this.widest, average, minute + hour.widestMinute);
    raise(this.busiest, busiest, minute + hour.busiestMinute);
    this.attempts += begun;
    this.makeRoom(minutes);
    this.calls.set(hour.calls.subarray(0, minutes), this.added);
    this.averages.set(hour.averages.subarray(0, minutes), this.added);
    this.added += minutes;
    if (this.limit !== undefined) this.minutesAbove += minutesAbove(hour, this.limit);
    this.addToBucket(minute, { calls, average, maximum, begun, busiest });
  }

  /** Most values have calls in few of the minutes. */
  private makeRoom(more: number): void {
    if (this.added + more <= this.calls.length) return;
    this.calls = enlarged(this.calls);
    this.averages = enlarged(this.averages);
  }

  private addToBucket(minute: number, { calls, average, maximum, begun, busiest }: BucketLoad): void {
    const { buckets } = this;
    const bucket = Math.floor(minute / this.minutesOfBucket);
    buckets.filled[bucket] = 1;
    buckets.calls[bucket] = Math.max(buckets.calls[bucket] ?? 0, calls);
    buckets.averages[bucket] = Math.max(buckets.averages[bucket] ?? 0, average);
    buckets.maximums[bucket] = Math.max(buckets.maximums[bucket] ?? 0, maximum);
    buckets.begun[bucket] = (buckets.begun[bucket] ?? 0) + begun;
    buckets.most[bucket] = Math.max(buckets.most[bucket] ?? 0, busiest);
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

function enlarged(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

function minutesAbove({ calls, minutes }: HourSummary, limit: number): number {
  const first = calls.subarray(0, minutes).findIndex((each) => each <= limit);
  return first === -1 ? minutes : first;
}

function raise(peak: Peak, load: number, minute: number): void {
  if (load < peak.most || (load === peak.most && minute >= peak.minute)) return;
  peak.most = load;
  peak.minute = minute;
}
