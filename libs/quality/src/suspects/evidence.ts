import { troubledShare, type Tally } from './tally.js';

/**
 * How much better the calls are explained by two shares, one inside of the set and one elsewhere, than by one for all: the logarithm of the
 * ratio of their likelihoods, 0 if the share inside is not larger (Kulldorff: "A spatial scan statistic", Communications in Statistics: Theory
 * and Methods 26 (1997), 1481-1496, Bernoulli model). Of sets that contain each other it is largest for the one that fits best: a larger
 * one is diluted, and a smaller one has fewer of the troubled calls.
 */
export function evidence(inside: Tally, elsewhere: Tally): number {
  if (troubledShare(inside) <= troubledShare(elsewhere)) return 0;
  const all = { calls: inside.calls + elsewhere.calls, troubled: inside.troubled + elsewhere.troubled };
  return Math.max(0, logLikelihood(inside) + logLikelihood(elsewhere) - logLikelihood(all));
}

/** Of so many troubled calls, if each is troubled with the share that was observed. */
function logLikelihood(tally: Tally): number {
  const { calls, troubled } = tally;
  const share = troubledShare(tally);
  return times(troubled, share) + times(calls - troubled, 1 - share);
}

function times(count: number, share: number): number {
  return count === 0 ? 0 : count * Math.log(share);
}
