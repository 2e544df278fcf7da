import { newcombe } from './newcombe.js';
import type { Tally } from './tally.js';
import { wilson } from './wilson.js';

const of = (troubled: number, calls: number): Tally => ({ calls, troubled });

describe('the interval of a share', () => {
  // Copied by hand from Newcombe: "Two-sided confidence intervals for the single proportion: comparison of seven methods",
  // Statistics in Medicine 17 (1998), 857-872, table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('is for %d of %d from %d to %d', (troubled, calls, low, high) => {
    const interval = wilson(of(troubled, calls));
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('is everything without calls, and never beyond nothing or all', () => {
    expect(wilson(of(0, 0))).toEqual({ low: 0, high: 1 });
    expect(wilson(of(20, 20)).high).toBe(1);
    expect(wilson(of(0, 20)).low).toBe(0);
  });
});

describe('the interval of a difference', () => {
  // Copied by hand from Newcombe: "Interval estimation for the difference between independent proportions: comparison of eleven methods",
  // Statistics in Medicine 17 (1998), 873-890, table II, method 10.
  it.each([
    [of(56, 70), of(48, 80), 0.0524, 0.3339],
    [of(9, 10), of(3, 10), 0.1705, 0.809],
    [of(6, 7), of(2, 7), 0.0582, 0.8062],
    [of(5, 56), of(0, 29), -0.0381, 0.1926],
    [of(0, 10), of(0, 20), -0.1611, 0.2775],
    [of(0, 10), of(0, 10), -0.2775, 0.2775],
    [of(10, 10), of(0, 20), 0.6791, 1],
    [of(10, 10), of(0, 10), 0.6075, 1],
  ])('is for %j and %j from %d to %d', (one, other, low, high) => {
    const interval = newcombe(one, other);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });
});
