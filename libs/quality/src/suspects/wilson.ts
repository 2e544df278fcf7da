import { troubledShare, type Tally } from './tally.js';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The quantile of the normal distribution for an interval of 95 %. */
export const Z_95 = 1.959_964;

/**
 * The interval of the share, by the score of Wilson: "Probable inference, the law of succession, and statistical inference",
 * J. Am. Stat. Assoc. 22 (1927), 209-212. Without calls, everything is possible.
 */
export function wilson(tally: Tally, z = Z_95): Interval {
  const { calls } = tally;
  if (calls === 0) return { low: 0, high: 1 };
  const share = troubledShare(tally);
  const middle = share + (z * z) / (2 * calls);
  const reach = z * Math.sqrt((share * (1 - share)) / calls + (z * z) / (4 * calls * calls));
  const scale = 1 + (z * z) / calls;
  return { low: Math.max(0, (middle - reach) / scale), high: Math.min(1, (middle + reach) / scale) };
}
