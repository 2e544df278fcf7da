import { newcombe } from './newcombe.js';
import { troubledShare, type Tally } from './tally.js';
import { wilson } from './wilson.js';

/** Fewer calls say too little about anything. */
export const LEAST_CALLS = 20;
const LEAST_TROUBLED = 5;
/** Offices, homes and networks differ by so much without a defect. */
const USUAL_DIFFERENCE = 0.03;
/** What makes a bad day a little worse is no culprit. */
const LEAST_RATIO = 1.5;
/** The chance of accusing anybody on a day without a culprit, if calls were independent of each other. */
const FALSE_ACCUSATIONS = 0.001;

/** Whether so many calls are enough for a test: those count by which {@link gateQuantile} is chosen. */
export function isTested({ calls }: Tally): boolean {
  return calls >= LEAST_CALLS;
}

/** The quantile of the normal distribution for each of so many one-sided tests, so that they are right together (Bonferroni). */
export function gateQuantile(tests: number): number {
  return upperQuantile(FALSE_ACCUSATIONS / Math.max(1, tests));
}

/** Whether more calls are troubled than elsewhere, by more than chance and usual differences explain. */
export function standsOut(inside: Tally, elsewhere: Tally, z: number): boolean {
  if (!isTested(inside) || inside.troubled < LEAST_TROUBLED) return false;
  if (wilson(inside).low < LEAST_RATIO * troubledShare(elsewhere)) return false;
  return newcombe(inside, elsewhere, z).low > USUAL_DIFFERENCE;
}

/**
 * What a normal value exceeds with this chance, at most one half; wrong by less than 0.00045 (Abramowitz and Stegun: "Handbook of Mathematical
 * Functions" (1964), 26.2.23).
 */
function upperQuantile(chance: number): number {
  const t = Math.sqrt(-2 * Math.log(chance));
  const above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
  const below = 1 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
  return t - above / below;
}
