import type { Period, Span } from '../parts/time/period.js';
import { bucketIndex, bucketInUtc, answerBuckets, periodTimeframe, type Timeframe } from './timeframe.js';

const NOW = Date.parse('2026-11-21T12:10:30Z');
const period = (span: Span): Period => ({ span, from: '', to: '' });
const HOUR = 3_600_000;

describe('the time of the view', () => {
  it.each([
    ['1h', 1, 300, 60],
    ['24h', 24, 3_600, 1_800],
    ['7d', 168, 21_600, 10_800],
    ['30d', 720, 86_400, 43_200],
  ] as const)('of the last %s is %d hours in buckets of %d seconds, and of %d', (span, hours, coarse, fine) => {
    const { from, to, ...steps } = periodTimeframe(period(span), NOW);
    expect(to - from).toBe(hours * HOUR);
    expect(steps).toEqual({ coarse, fine });
  });

  it('ends with the current bucket, at a bucket boundary of the viewer’s zone', () => {
    for (const span of ['1h', '24h', '7d', '30d'] as const) {
      const { to, coarse } = periodTimeframe(period(span), NOW);
      expect(to).toBeGreaterThanOrEqual(NOW);
      expect(to - NOW).toBeLessThan(coarse * 1_000);
      expect((to - new Date(NOW).getTimezoneOffset() * 60_000) % (coarse * 1_000)).toBe(0);
    }
  });

  it('stays the same until the next bucket, so that charts do not move', () => {
    expect(periodTimeframe(period('24h'), NOW + 60_000)).toEqual(periodTimeframe(period('24h'), NOW));
  });

  it('has the requested length, in a readable number of buckets', () => {
    const from = '2026-11-01T00:00:00.000Z';
    const lastsDays = (days: number): Timeframe => {
      const to = new Date(Date.parse(from) + days * 24 * HOUR).toISOString();
      return periodTimeframe({ span: undefined, from, to }, NOW);
    };
    expect(lastsDays(1)).toEqual({
      from: Date.parse(from),
      to: Date.parse(from) + 24 * HOUR,
      coarse: 3_600,
      fine: 1_800,
    });
    expect(lastsDays(365)).toMatchObject({ coarse: 2_419_200, fine: 604_800 });
    expect(lastsDays(20_000)).toMatchObject({ coarse: 2_419_200, fine: 2_419_200 });
  });

  it('is the last day before an end without a beginning, and until now without an end', () => {
    const to = '2026-11-20T00:00:00.000Z';
    expect(periodTimeframe({ span: undefined, from: '', to }, NOW).from).toBe(Date.parse(to) - 24 * HOUR);
    expect(periodTimeframe({ span: undefined, from: to, to: '' }, NOW).to).toBe(Date.parse('2026-11-21T12:11:00Z'));
  });
});

describe('the buckets of an answer', () => {
  const range = { from: '2026-11-21T10:00:00.000Z', to: '2026-11-21T12:30:00.000Z', bucketSeconds: 3_600 };
  it('are complete, with a shorter last one at the end of the time', () => {
    const buckets = answerBuckets(range).map(bucketInUtc);
    expect(buckets).toEqual([
      '2026-11-21 10:00 – 11:00 UTC',
      '2026-11-21 11:00 – 12:00 UTC',
      '2026-11-21 12:00 – 12:30 UTC',
    ]);
    expect(bucketInUtc({ from: Date.parse('2026-11-20T00:00Z'), to: Date.parse('2026-11-21T00:00Z') })).toBe(
      '2026-11-20 00:00 – 2026-11-21 00:00 UTC',
    );
  });

  it('are none if the time ends before it begins', () => {
    expect(answerBuckets({ ...range, to: '2026-11-21T09:00:00.000Z' })).toEqual([]);
  });

  it('are found by their beginning', () => {
    expect(bucketIndex(range, '2026-11-21T11:00:00.000Z')).toBe(1);
  });
});
