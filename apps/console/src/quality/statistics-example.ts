import type { StreamCount, StreamStatistics } from '../api/answers.js';

const FROM = '2026-11-21T10:00:00.000Z';

/** An item for specs: streams by verdict, in the bucket that begins at this hour. */
export function item(hour: number, value: string | null, given: Partial<StreamCount>): StreamCount {
  const { good = 0, poor = 0, bad = 0, unknown = 0 } = given;
  const at = new Date(Date.parse(FROM) + (hour - 10) * 3_600_000).toISOString();
  const calls = { calls: 1, failedCalls: 0, expiredCalls: 0 };
  return { at, value, ...calls, good, poor, bad, unknown, streams: good + poor + bad + unknown };
}

/** Three hours, from ten to one. */
export function answered(...items: readonly StreamCount[]): StreamStatistics {
  return { from: FROM, to: '2026-11-21T13:00:00.000Z', bucketSeconds: 3_600, by: 'site', items, valuesLeftOut: 0 };
}
