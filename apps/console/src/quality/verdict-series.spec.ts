import { answered, item } from './statistics-example.js';
import { badShare, NO_STREAMS, stacked, verdictBuckets } from './verdict-series.js';

describe('streams by verdict over time', () => {
  const buckets = verdictBuckets(
    answered(item(10, null, { good: 8, bad: 1 }), item(12, null, { good: 2, poor: 3, bad: 1, unknown: 4 })),
  );

  it('have a bucket for every time, even without streams', () => {
    expect(buckets.map(({ counts }) => counts)).toEqual([
      { good: 8, poor: 0, bad: 1, unknown: 0 },
      NO_STREAMS,
      { good: 2, poor: 3, bad: 1, unknown: 4 },
    ]);
  });

  it('are stacked, with bad ones at the bottom and drawn last', () => {
    expect(stacked(buckets)).toEqual([
      ['unknown', [9, 0, 10]],
      ['good', [9, 0, 6]],
      ['poor', [1, 0, 4]],
      ['bad', [1, 0, 1]],
    ]);
  });

  it('have the share of bad ones among those with a verdict', () => {
    expect(badShare({ good: 2, poor: 1, bad: 1, unknown: 96 })).toBe(0.25);
    expect(badShare(NO_STREAMS)).toBe(0);
  });
});
