import type { MetricItem, MetricStatistics } from '../../api/answers.js';
import { answered, item } from '../statistics-example.js';
import { ANSWERED, BAD_STREAMS, METRICS } from './compared-charts.js';

const [MOS, LOSS, , , RING] = METRICS;

function measured(distribution: readonly number[], values: Partial<MetricItem>): MetricStatistics {
  const streams = distribution.reduce((sum, each) => sum + each, 0);
  const { from, to, bucketSeconds, by } = answered();
  const all = { average: 0, p50: 0, p90: 0, p95: 0, p99: 0, max: 0 };
  const items = [{ at: from, value: 'Oslo', streams, ...all, ...values, distribution }];
  return { from, to, bucketSeconds, by, metric: 'loss', unit: 'ratio', bounds: [0.01, 0.05], valuesLeftOut: 0, items };
}

describe('a line of a compared chart', () => {
  it('has the share of bad streams, and nothing where none has a verdict', () => {
    const answer = answered(item(10, 'Oslo', { bad: 10, good: 30 }), item(11, 'Oslo', { unknown: 4 }));
    const { buckets, total, counts } = BAD_STREAMS.read(answer);
    expect(buckets.map(({ value }) => value)).toEqual([0.25, null, null]);
    expect([total, counts]).toEqual(['25\u00A0% of 40 streams', [{ all: 20, some: 5 }]]);
    expect(BAD_STREAMS.read(answered()).total).toBe('');
  });

  it('has the share of answered calls, of which those that failed are compared', () => {
    const answer = answered({ ...item(10, 'Oslo', {}), calls: 40, failedCalls: 10 });
    const { buckets, total, counts } = ANSWERED.read(answer);
    expect(buckets.map(({ value }) => value)).toEqual([0.75, null, null]);
    expect([total, counts]).toEqual(['75\u00A0% of 40 calls answered', [{ all: 40, some: 10 }]]);
  });

  it('has the 95th percentile of a metric, compared by what is above each bound, two streams as one call', () => {
    const answer = measured([60, 30, 10], { p95: 0.04 });
    const { buckets, counts } = LOSS?.read(answer) ?? { buckets: [], counts: [] };
    expect(buckets.map(({ value }) => value)).toEqual([0.04, null, null]);
    expect(counts).toEqual([
      { all: 50, some: 20 },
      { all: 50, some: 5 },
    ]);
    const words = LOSS?.differenceWords({ is: 'more', at: 1, share: 0.1, others: 0.02 }, answer);
    expect(words).toBe('more above 5\u00A0% than the others (10\u00A0%, others 2\u00A0%)');
  });

  it('has the average of MOS, compared by what is not above each bound: low is bad', () => {
    const answer = { ...measured([10, 30, 60], { average: 3.9 }), bounds: [2, 3.5] };
    const { buckets, counts } = MOS?.read(answer) ?? { buckets: [], counts: [] };
    expect(buckets[0]?.value).toBe(3.9);
    expect(counts).toEqual([
      { all: 50, some: 5 },
      { all: 50, some: 20 },
    ]);
    const words = MOS?.differenceWords({ is: 'fewer', at: 1, share: 0.4, others: 0.6 }, answer);
    expect(words).toBe('fewer at or below 3.50 than the others (40\u00A0%, others 60\u00A0%)');
  });

  it('counts each call once where calls are measured', () => {
    expect(RING?.read(measured([60, 30, 10], {})).counts[0]).toEqual({ all: 100, some: 40 });
  });
});
