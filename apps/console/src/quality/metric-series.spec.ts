import type { MetricItem, MetricStatistics } from '../api/answers.js';
import { boundOfMost, metricBuckets, bucketValues } from './metric-series.js';

const item = (hour: number, distribution: readonly number[], p95 = 0): MetricItem => {
  const streams = distribution.reduce((total, count) => total + count);
  const numbers = { average: 0, p50: 0, p90: 0, p95, p99: 0, max: 0 };
  return { at: `2026-11-21T${hour}:00:00.000Z`, value: null, streams, distribution, ...numbers };
};
const answered = (...items: readonly MetricItem[]): MetricStatistics => ({
  from: '2026-11-21T10:00:00.000Z',
  to: '2026-11-21T13:00:00.000Z',
  bucketSeconds: 3_600,
  by: null,
  metric: 'jitter',
  unit: 'ms',
  bounds: [10, 20],
  items,
  valuesLeftOut: 0,
});

describe('a metric over time', () => {
  const answer = answered(item(10, [100, 0, 0], 9), item(12, [70, 26, 4], 19));

  it('has a gap where it is unknown', () => {
    expect(bucketValues(metricBuckets(answer), 'p95')).toEqual([9, null, 19]);
  });

  it('is darker in a class with more of the streams of that time', () => {
    expect(metricBuckets(answer).map(({ shades }) => shades)).toEqual([
      [5, 0, 0],
      [0, 0, 0],
      [5, 3, 1],
    ]);
  });

  it('has a bound that most streams do not exceed', () => {
    expect(boundOfMost(answered(item(10, [95, 5, 0])))).toBe(10);
    expect(boundOfMost(answer)).toBe(20);
    expect(boundOfMost(answered(item(10, [1, 1, 1])))).toBeUndefined();
    expect(boundOfMost(answered())).toBeUndefined();
  });
});
