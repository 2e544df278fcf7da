import { gateQuantile, isTested, standsOut } from './gate.js';
import type { Tally } from './tally.js';

const of = (troubled: number, calls: number): Tally => ({ calls, troubled });

describe('the gate', () => {
  // Tables of the normal distribution: the upper quantile of 0.001 is 3.0902, of 0.000 001 it is 4.7534.
  it('is the stricter the more is tested', () => {
    expect(gateQuantile(1)).toBeCloseTo(3.0902, 3);
    expect(gateQuantile(1_000)).toBeCloseTo(4.7534, 3);
    expect(gateQuantile(0)).toBe(gateQuantile(1));
  });

  const z = gateQuantile(600);

  it.each([
    [of(18, 40), of(36, 1_000), true],
    [of(19, 19), of(36, 1_000), false],
    [of(4, 20), of(0, 1_000), false],
    // Homes are a little worse than offices.
    [of(9, 150), of(36, 1_000), false],
    // Everything is bad.
    [of(400, 500), of(700, 1_000), false],
    [of(60, 100), of(500, 1_000), false],
    [of(2_000, 20_000), of(14_000, 200_000), false],
    [of(0, 0), of(0, 0), false],
  ])('tells of %j and %j elsewhere whether it stands out: %j', (inside, elsewhere, expected) => {
    expect(standsOut(inside, elsewhere, z)).toBe(expected);
  });

  it('tests what has enough calls, however many are troubled', () => {
    expect(isTested(of(0, 20))).toBe(true);
    expect(isTested(of(19, 19))).toBe(false);
  });
});
