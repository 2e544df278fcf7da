import type { LoadItem, LoadOfValue, LoadStatistics, TrunkLimit } from '../api/answers.js';
import { answerBuckets, bucketIndex, type TimeBucket } from '../quality/timeframe.js';

/** Trunks of 1,000 limits need not be among the values with the most calls. */
const MOST_VALUES = 50;
/** Charts without a choice. */
const USUAL_CHARTS = 4;

const NOTHING: Omit<LoadOfValue, 'value' | 'limit' | 'minutesAboveLimit'> = {
  peak: { calls: 0, at: null },
  p95: { calls: 0, averageBandwidth: 0 },
  bandwidthPeak: { averageBandwidth: 0, at: null },
  attempts: 0,
  attemptsPeak: { perSecond: 0, at: null },
};

/** Values to ask for by name, as an answer has left out some that are wanted: what is chosen, and trunks with a limit. */
export function valuesToAskFor(
  { values, valuesLeftOut }: Pick<LoadStatistics, 'values' | 'valuesLeftOut'>,
  wanted: readonly string[],
): readonly string[] {
  if (valuesLeftOut === 0) return [];
  const known = new Set(values.map(({ value }) => value));
  return [...new Set(wanted)].filter((value) => !known.has(value)).slice(0, MOST_VALUES);
}

/** The rows of the table: values with calls, and trunks with a limit that had none. */
export function capacityRows(values: readonly LoadOfValue[], limits: readonly TrunkLimit[]): readonly LoadOfValue[] {
  const known = new Set(values.map(({ value }) => value));
  const idle = limits.filter(({ trunk }) => !known.has(trunk));
  return [
    ...values,
    ...idle.map(({ trunk, calls }) => ({ value: trunk, ...NOTHING, limit: calls, minutesAboveLimit: 0 })),
  ];
}

/** The values with a chart: those that were chosen, or those with the highest peaks. */
export function chartedValues(
  values: readonly Pick<LoadOfValue, 'value'>[],
  chosen: readonly string[],
): readonly string[] {
  if (chosen.length > 0) return chosen;
  return values.flatMap(({ value }) => value ?? []).slice(0, USUAL_CHARTS);
}

/** Another choice: with this value, or without it if it has a chart. */
export function withToggled(charted: readonly string[], value: string): readonly string[] {
  return charted.includes(value) ? charted.filter((each) => each !== value) : [...charted, value];
}

export interface LoadBucket extends Omit<LoadItem, 'at' | 'value'> {
  readonly time: TimeBucket;
}

const EMPTY: Omit<LoadBucket, 'time'> = {
  calls: 0,
  averageBandwidth: 0,
  maximumBandwidth: 0,
  attempts: 0,
  attemptsPerSecond: 0,
};

/** All buckets of a value, also those without calls, which the answer leaves out. */
export function loadBuckets(answer: LoadStatistics, value: string): readonly LoadBucket[] {
  const items = new Map(
    answer.items.filter((item) => item.value === value).map((item) => [bucketIndex(answer, item.at), item]),
  );
  return answerBuckets(answer).map((time, index) => ({ ...EMPTY, ...items.get(index), time }));
}
