import { VERDICTS } from '../api/calls.js';
import type { StreamStatistics, Verdict } from '../api/answers.js';
import type { Counted } from '../parts/share-intervals.js';
import { bucketIndex, answerBuckets, type TimeBucket } from './timeframe.js';

export type VerdictCounts = Readonly<Record<Verdict, number>>;

export const NO_STREAMS: VerdictCounts = { good: 0, poor: 0, bad: 0, unknown: 0 };

export function sum(one: VerdictCounts, other: VerdictCounts): VerdictCounts {
  return {
    good: one.good + other.good,
    poor: one.poor + other.poor,
    bad: one.bad + other.bad,
    unknown: one.unknown + other.unknown,
  };
}

export function streamsIn({ good, poor, bad, unknown }: VerdictCounts): number {
  return good + poor + bad + unknown;
}

/** Share of bad streams among those with a verdict; 0 without such streams. */
export function badShare({ good, poor, bad }: VerdictCounts): number {
  return bad === 0 ? 0 : bad / (good + poor + bad);
}

/** Of a call: they have the same causes, and are no two observations (ADR 0097). */
const STREAMS_OF_CALL = 2;

/** Streams with a verdict and the bad ones of them, as calls: for intervals, which would be too narrow otherwise. */
export function judgedCalls({ good, poor, bad }: VerdictCounts): Counted {
  return { all: (good + poor + bad) / STREAMS_OF_CALL, some: bad / STREAMS_OF_CALL };
}

export interface VerdictBucket {
  readonly time: TimeBucket;
  readonly counts: VerdictCounts;
}

/** Streams of each bucket, by verdict, all values together. */
export function verdictBuckets(answer: StreamStatistics): readonly VerdictBucket[] {
  const buckets = answerBuckets(answer).map((time) => ({ time, counts: NO_STREAMS }));
  for (const item of answer.items) {
    const bucket = buckets[bucketIndex(answer, item.at)];
    if (bucket !== undefined) bucket.counts = sum(bucket.counts, item);
  }
  return buckets;
}

/** The same for the period before, one for each bucket of this period; undefined without `compare`. */
export function bucketsBefore(answer: StreamStatistics): readonly VerdictBucket[] | undefined {
  return answer.before && verdictBuckets({ ...answer, ...answer.before });
}

/**
 * Heights of stacked bars, the worst verdict at the bottom: for each verdict, from the best to the worst,
 * the streams of this and all worse ones.
 */
export function stacked(buckets: readonly VerdictBucket[]): readonly (readonly [Verdict, readonly number[]])[] {
  return VERDICTS.map((verdict, index): [Verdict, number[]] => {
    const upToIt = VERDICTS.slice(0, index + 1);
    return [verdict, buckets.map(({ counts }) => upToIt.reduce((height, each) => height + counts[each], 0))];
  }).toReversed();
}
