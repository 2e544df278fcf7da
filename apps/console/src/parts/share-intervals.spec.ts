import { differenceInterval, quantileFor, shareInterval, TWO_SIDED_95 } from './share-intervals.js';

describe('the interval of a share', () => {
  // Copied by hand from Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %d of %d is from %d to %d', (some, all, low, high) => {
    const interval = shareInterval({ some, all });
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('is everything if nothing was counted', () => {
    expect(shareInterval({ some: 0, all: 0 })).toEqual({ low: 0, high: 1 });
  });
});

describe('the interval of a difference', () => {
  // Copied by hand from Newcombe, Statistics in Medicine 17 (1998), 873-890, table II, method 10.
  it.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [10, 10, 0, 20, 0.6791, 1],
  ])('of %d of %d and %d of %d is from %d to %d', (some, all, other, others, low, high) => {
    const interval = differenceInterval({ some, all }, { some: other, all: others });
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });
});

describe('the quantile for several intervals', () => {
  it('is the usual one for one, and larger for more', () => {
    expect(quantileFor(1)).toBeCloseTo(TWO_SIDED_95, 3);
    // 1 - 0.025 / 50
    expect(quantileFor(50)).toBeCloseTo(3.2905, 3);
  });
});
