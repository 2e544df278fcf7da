import type { CallState, StreamStatistics } from '../api/answers.js';
import { bucketIndex, answerBuckets, type TimeBucket } from './timeframe.js';

/** As the measure of alerts counts them; calls that ring are neither. */
export const ANSWERED: readonly CallState[] = ['active', 'held', 'ended'];
export const FAILED: readonly CallState[] = ['failed'];
export const EITHER: readonly CallState[] = [...ANSWERED, ...FAILED];

/** Calls that were answered, and those that failed. */
export interface AnsweredBucket {
  readonly time: TimeBucket;
  readonly answered: number;
  readonly failed: number;
}

/** From statistics of calls that were answered or failed: those that still ring are not counted. */
export function answeredBuckets(answer: StreamStatistics): readonly AnsweredBucket[] {
  const buckets = answerBuckets(answer).map((time) => ({ time, answered: 0, failed: 0 }));
  for (const { at, calls, failedCalls } of answer.items) {
    const bucket = buckets[bucketIndex(answer, at)];
    if (bucket === undefined) continue;
    bucket.answered += calls - failedCalls;
    bucket.failed += failedCalls;
  }
  return buckets;
}

/** The answer-seizure ratio, 1 for all; null without calls. */
export function answerSeizure({ answered, failed }: Pick<AnsweredBucket, 'answered' | 'failed'>): number | null {
  return answered + failed === 0 ? null : answered / (answered + failed);
}
