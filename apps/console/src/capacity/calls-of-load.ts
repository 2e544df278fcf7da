import { callsBehind } from '../quality/calls-behind.js';
import type { TimeBucket } from '../quality/timeframe.js';
import type { Criteria } from '../search/filter.js';
import type { LoadDimension } from './capacity-query.js';

const DAY_MS = 86_400_000;
const RUNNING_FROM = 'runningFrom';

/** A value of a dimension. */
export interface LoadValue {
  readonly by: LoadDimension;
  readonly value: string;
}

/**
 * The search for the calls of a value that were in progress at some moment of a time. Those that had lasted for more than a day
 * are not among them: the calls of all weeks would be read.
 */
export function runningCalls({ from, to }: TimeBucket, of: LoadValue, criteria: Criteria): string {
  const running = { name: RUNNING_FROM, value: new Date(from).toISOString() };
  const more = [...criteria.more.filter(({ name }) => name !== RUNNING_FROM), running];
  return callsBehind({ time: { from: from - DAY_MS, to }, of }, { ...criteria, more });
}

/** The search for the calls of a value that began in a time. */
export function begunCalls(time: TimeBucket, of: LoadValue, criteria: Criteria): string {
  return callsBehind({ time, of }, criteria);
}

const MINUTE_MS = 60_000;

/** The minute of a peak. */
export function minuteAt(at: string): TimeBucket {
  const from = Date.parse(at);
  return { from, to: from + MINUTE_MS };
}
