/** What was counted, and how many of it had the property. */
export interface Counted {
  readonly all: number;
  readonly some: number;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Quantiles of the normal distribution: for an interval of 95 %, and for 95 % on one side. */
export const TWO_SIDED_95 = 1.959_964;
export const ONE_SIDED_95 = 1.644_854;

/** Offices, homes and networks differ by so much without a defect (ADR 0097). */
export const USUAL_DIFFERENCE = 0.03;

export function shareOf({ all, some }: Counted): number {
  return all === 0 ? 0 : some / all;
}

/**
 * The interval of a share, by the score of Wilson (J. Am. Stat. Assoc. 22 (1927), 209-212). Without anything counted, all is possible.
 * As in libs/quality/src/suspects, of which a client of the public interfaces knows nothing.
 */
export function shareInterval(counted: Counted, z = TWO_SIDED_95): Interval {
  const { all } = counted;
  if (all === 0) return { low: 0, high: 1 };
  const share = shareOf(counted);
  const middle = share + (z * z) / (2 * all);
  const reach = z * Math.sqrt((share * (1 - share)) / all + (z * z) / (4 * all * all));
  const scale = 1 + (z * z) / all;
  return { low: Math.max(0, (middle - reach) / scale), high: Math.min(1, (middle + reach) / scale) };
}

/** The interval of the difference of two shares, by method 10 of Newcombe (Statistics in Medicine 17 (1998), 873-890). */
export function differenceInterval(one: Counted, other: Counted, z = TWO_SIDED_95): Interval {
  const [first, second] = [shareInterval(one, z), shareInterval(other, z)];
  const [share, otherShare] = [shareOf(one), shareOf(other)];
  const difference = share - otherShare;
  return {
    low: difference - Math.hypot(share - first.low, second.high - otherShare),
    high: difference + Math.hypot(first.high - share, otherShare - second.low),
  };
}

/** The quantile with which so many two-sided intervals of 95 % are right together (Bonferroni). */
export function quantileFor(intervals: number): number {
  return upperQuantile(0.025 / Math.max(1, intervals));
}

/** What a normal value exceeds with this chance; wrong by less than 0.00045 (Abramowitz and Stegun (1964), 26.2.23). */
function upperQuantile(chance: number): number {
  const t = Math.sqrt(-2 * Math.log(chance));
  const above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
  const below = 1 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
  return t - above / below;
}
