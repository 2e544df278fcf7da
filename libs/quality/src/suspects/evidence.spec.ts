import { evidence } from './evidence.js';
import type { Tally } from './tally.js';

const of = (troubled: number, calls: number): Tally => ({ calls, troubled });

describe('the evidence', () => {
  it('is the logarithm of the ratio of likelihoods', () => {
    // By hand: 5 ln 0.5 + 5 ln 0.5 + 10 ln 0.1 + 90 ln 0.9 - 15 ln (15/110) - 95 ln (95/110).
    expect(evidence(of(5, 10), of(10, 100))).toBeCloseTo(4.374_01, 4);
  });

  it('is 0 without an excess', () => {
    for (const [inside, elsewhere] of [
      [of(5, 50), of(10, 100)],
      [of(1, 50), of(10, 100)],
      [of(0, 0), of(10, 100)],
      [of(0, 10), of(0, 100)],
      [of(10, 10), of(100, 100)],
    ] as const)
      expect(evidence(inside, elsewhere)).toBe(0);
  });

  it('grows with the number of calls at equal shares', () => {
    const few = evidence(of(5, 10), of(30, 1_000));
    expect(evidence(of(10, 20), of(30, 1_000))).toBeGreaterThan(few);
    expect(evidence(of(50, 100), of(30, 1_000))).toBeGreaterThan(5 * few);
  });

  it('is larger for the set than for a superset, which is diluted, and for a subset, which has fewer of the troubled calls', () => {
    const [bad, all] = [of(45, 90), of(75, 1_090)];
    const rest = ({ calls, troubled }: Tally): Tally => of(all.troubled - troubled, all.calls - calls);
    const set = evidence(bad, rest(bad));
    const superset = of(45 + 6, 90 + 200);
    const subset = of(24, 45);
    expect(set).toBeGreaterThan(evidence(superset, rest(superset)));
    expect(set).toBeGreaterThan(evidence(subset, rest(subset)));
  });
});
