import { troubledShare, type Tally } from './tally.js';
import { wilson, Z_95, type Interval } from './wilson.js';

/**
 * The interval of the difference of two shares, by method 10 of Newcombe: "Interval estimation for the difference between independent
 * proportions: comparison of eleven methods", Statistics in Medicine 17 (1998), 873-890. It holds for few calls, too, and for none that
 * were troubled.
 */
export function newcombe(one: Tally, other: Tally, z = Z_95): Interval {
  const [first, second] = [wilson(one, z), wilson(other, z)];
  const [share, otherShare] = [troubledShare(one), troubledShare(other)];
  const difference = share - otherShare;
  return {
    low: difference - Math.hypot(share - first.low, second.high - otherShare),
    high: difference + Math.hypot(first.high - share, otherShare - second.low),
  };
}
