import type { StreamStatistics } from '../api/answers.js';
import { zonedFormat } from '../parts/format.js';
import { spanHours, type Period } from '../parts/time/period.js';
import { wallClock } from '../parts/time/time-zone.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Bucket lengths in seconds; the API accepts none shorter and hardly longer ones. Each is a multiple of the previous ones. */
const STEPS = [60, 300, 900, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 604_800, 2_419_200] as const;
const LONGEST = 2_419_200;

/** A time range whose buckets begin at hours and days of the zone that is shown. */
export interface Timeframe {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Length of a column of the heat map, seconds. */
  readonly coarse: number;
  /** Length of a bar or a point of a line, seconds. */
  readonly fine: number;
}

/** As many as can be distinguished. */
const COLUMNS = 31;
const POINTS = 62;

/** The time range of a period as of now. A relative one ends with the current bucket, so that all are equally long. */
export function periodTimeframe(period: Period, now: number): Timeframe {
  const hours = spanHours(period.span);
  if (hours !== undefined) {
    const steps = stepsFor(hours * HOUR_MS);
    const to = nextBoundary(now, steps.coarse * 1_000);
    return { from: to - hours * HOUR_MS, to, ...steps };
  }
  const to = period.to === '' ? nextBoundary(now, 60_000) : Date.parse(period.to);
  const from = period.from === '' ? to - DAY_MS : Date.parse(period.from);
  return { from, to, ...stepsFor(to - from) };
}

function stepsFor(length: number): Pick<Timeframe, 'coarse' | 'fine'> {
  const step = (most: number): number => STEPS.find((each) => length <= most * each * 1_000) ?? LONGEST;
  return { coarse: step(COLUMNS), fine: step(POINTS) };
}

/** The next multiple of the step in the zone that is shown. */
function nextBoundary(at: number, step: number): number {
  const offset = at - wallClock(at).getTime();
  return Math.ceil((at - offset) / step) * step + offset;
}

/** The period of an answer, cut into buckets; the last bucket may be shorter. */
type BucketedTime = Pick<StreamStatistics, 'from' | 'to' | 'bucketSeconds'>;

/** A time interval [from, to), in milliseconds since 1970. */
export interface TimeBucket {
  readonly from: number;
  readonly to: number;
}

export function wholeTime({ from, to }: BucketedTime): TimeBucket {
  return { from: Date.parse(from), to: Date.parse(to) };
}

/** All buckets of an answer, including the empty ones. */
export function answerBuckets({ from, to, bucketSeconds }: BucketedTime): readonly TimeBucket[] {
  const [start, end, step] = [Date.parse(from), Date.parse(to), bucketSeconds * 1_000];
  return Array.from({ length: Math.max(0, Math.ceil((end - start) / step)) }, (_, index) => {
    const begins = start + index * step;
    return { from: begins, to: Math.min(end, begins + step) };
  });
}

/** The index of the bucket of an item in the answer. */
export function bucketIndex({ from, bucketSeconds }: BucketedTime, at: string): number {
  return Math.round((Date.parse(at) - Date.parse(from)) / (bucketSeconds * 1_000));
}

const FIELDS = { weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
const moment = zonedFormat(FIELDS);
const momentOfYear = zonedFormat({ year: 'numeric', ...FIELDS });

/** In the zone that is shown, with the year if it is another one. */
export function formatBucket({ from, to }: TimeBucket, now = Date.now()): string {
  const isThisYear = wallClock(from).getUTCFullYear() === wallClock(now).getUTCFullYear();
  return (isThisYear ? moment : momentOfYear)().formatRange(from, to);
}

/** `2026-11-21 12:00 – 13:00 UTC`. */
export function bucketInUtc({ from, to }: TimeBucket): string {
  const [start, end] = [from, to].map((at) => new Date(at).toISOString().slice(0, 16).replace('T', ' '));
  const [day, clock] = [end?.slice(0, 11) ?? '', end?.slice(11) ?? ''];
  return `${start} – ${start?.startsWith(day) ? clock : end} UTC`;
}

/** The middle of each bucket for the axis of a chart, in seconds since 1970. */
export function bucketMiddles(buckets: readonly { readonly time: TimeBucket }[]): readonly number[] {
  return buckets.map(({ time }) => (time.from + time.to) / 2_000);
}
