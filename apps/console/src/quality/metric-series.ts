import type { MetricItem, MetricStatistics } from '../api/answers.js';
import { bucketIndex, answerBuckets, type TimeBucket } from './timeframe.js';

export const PERCENTILES = ['p50', 'p90', 'p95', 'p99'] as const;
export type Percentile = (typeof PERCENTILES)[number];

/** The shade of a class: from few of the streams of its time to most of them; 0 without streams. */
export type Shade = 0 | 1 | 2 | 3 | 4 | 5;

export interface MetricBucket {
  readonly time: TimeBucket;
  /** Undefined if the metric is not known for any stream. */
  readonly item: MetricItem | undefined;
  /** One for each class, as in the distribution. */
  readonly shades: readonly Shade[];
}

/** The statistics of each bucket, for all values together. */
export function metricBuckets(answer: MetricStatistics): readonly MetricBucket[] {
  const items = new Map(answer.items.map((item) => [bucketIndex(answer, item.at), item]));
  return answerBuckets(answer).map((time, index) => {
    const item = items.get(index);
    return { time, item, shades: answer.bounds.concat(Infinity).map((_, place) => shadeOf(item, place)) };
  });
}

/** One value for each bucket; null where nothing was measured. */
export function bucketValues(
  buckets: readonly MetricBucket[],
  value: Percentile | 'average',
): readonly (number | null)[] {
  return buckets.map(({ item }) => item?.[value] ?? null);
}

/** The statistics of the period before, one for each bucket of this period; undefined without `compare`. */
export function bucketsBefore(answer: MetricStatistics): readonly MetricBucket[] | undefined {
  return answer.before && metricBuckets({ ...answer, ...answer.before });
}

/** The average of all items together. */
export function averageOf(items: readonly Pick<MetricItem, 'streams' | 'average'>[]): number {
  const streams = items.reduce((total, item) => total + item.streams, 0);
  return streams === 0 ? 0 : items.reduce((total, item) => total + item.average * item.streams, 0) / streams;
}

/**
 * The bound that nearly all streams of the whole time do not exceed: the smallest one for at least 95 of 100.
 * Undefined if more than 5 of 100 exceed the last bound, and without streams.
 */
export function boundOfMost({ bounds, items }: Pick<MetricStatistics, 'bounds' | 'items'>): number | undefined {
  const all = items.reduce((total, { streams }) => total + streams, 0);
  let below = 0;
  return bounds.find((_, place) => {
    below += items.reduce((total, { distribution }) => total + (distribution[place] ?? 0), 0);
    return all > 0 && below >= all * 0.95;
  });
}

function shadeOf(item: MetricItem | undefined, place: number): Shade {
  const share = item === undefined ? 0 : (item.distribution[place] ?? 0) / item.streams;
  if (share === 0) return 0;
  if (share <= 0.05) return 1;
  if (share <= 0.15) return 2;
  if (share <= 0.3) return 3;
  return share <= 0.6 ? 4 : 5;
}
