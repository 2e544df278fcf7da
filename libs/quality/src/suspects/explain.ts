import { evidence } from './evidence.js';
import { isTested, LEAST_CALLS, standsOut } from './gate.js';
import { ProblemTallies, PROBLEMS, type Problem, type SuspectCall, type SuspectCalls } from './suspect-calls.js';
import type { Tally } from './tally.js';

/** A value that stands out by one problem. */
export interface Candidate {
  readonly problem: Problem;
  /** Its index. */
  readonly fact: number;
  readonly inside: Tally;
  readonly elsewhere: Tally;
  readonly score: number;
}

/** By which of several candidates the first is chosen: the larger is. */
export type Score = (inside: Tally, elsewhere: Tally) => number;

export interface Explained {
  readonly candidate: Candidate;
  /** Candidates with the same calls. */
  readonly same: readonly Candidate[];
  /** Candidates that do not stand out among the other calls. */
  readonly explains: readonly Candidate[];
}

export interface ExplainOptions {
  /** See `gateQuantile`. */
  readonly z: number;
  readonly limit: number;
  readonly score?: Score | undefined;
}

/** How many pairs of a problem and a value are tested. */
export function countTests<D extends string>(source: SuspectCalls<D>): number {
  const tallies = problemTallies(source, source.calls);
  const tested = tallies.map((each) => source.facts.filter((_, fact) => isTested(each.inside(fact))).length);
  return tested.reduce((sum, count) => sum + count, 0);
}

/**
 * The first candidate, then the first one among the calls that it does not have, and so on: what only shares the calls of one before it is
 * no suspect of its own.
 */
export function explain<D extends string>(source: SuspectCalls<D>, options: ExplainOptions): readonly Explained[] {
  const found: Explained[] = [];
  let { calls } = source;
  let standing = candidates(source, calls, options);
  while (found.length < options.limit) {
    const [best] = standing;
    if (best === undefined) break;
    const accused = best.fact;
    const others = calls.filter(({ facts }) => !facts.includes(accused));
    const left = candidates(source, others, options);
    const gone = standing.filter(
      ({ problem, fact }) => !left.some((one) => one.fact === fact && one.problem === problem),
    );
    found.push(explainedBy(best, gone, { source, others }));
    [calls, standing] = [others, left];
  }
  return found;
}

interface Step<D extends string> {
  readonly source: SuspectCalls<D>;
  /** The calls without those of the best candidate. */
  readonly others: readonly SuspectCall[];
}

/** Of those with the same calls, the one of the first dimension gives the name. */
function explainedBy<D extends string>(best: Candidate, gone: readonly Candidate[], step: Step<D>): Explained {
  const { source, others } = step;
  const isLeft = (fact: number): boolean => others.some(({ facts }) => facts.includes(fact));
  const same = gone.filter(
    ({ problem, fact, inside }) => problem === best.problem && inside.calls === best.inside.calls && !isLeft(fact),
  );
  const order = ({ fact }: Candidate): number => dimensionNumber(source, fact);
  const [named = best, ...sameAsIt] = same.toSorted((a, b) => order(a) - order(b) || a.fact - b.fact);
  const facts = new Set(same.map(({ fact }) => fact));
  return { candidate: named, same: sameAsIt, explains: gone.filter(({ fact }) => !facts.has(fact)) };
}

/** Whose share is larger than elsewhere, the best first. */
function candidates<D extends string>(
  source: SuspectCalls<D>,
  calls: readonly SuspectCall[],
  { z, score = evidence }: ExplainOptions,
): readonly Candidate[] {
  const all = problemTallies(source, calls).flatMap((tallies) =>
    source.facts.flatMap((_, fact): readonly Candidate[] => {
      const inside = tallies.inside(fact);
      if (!isTested(inside)) return [];
      // One that is known only by what it refused has refused everything.
      if (tallies.isRefusing(fact) && inside.calls - inside.troubled < LEAST_CALLS) return [];
      const elsewhere = tallies.elsewhere(fact);
      if (!standsOut(inside, elsewhere, z)) return [];
      return [{ problem: tallies.problem, fact, inside, elsewhere, score: score(inside, elsewhere) }];
    }),
  );
  return all.toSorted(
    (a, b) => b.score - a.score || dimensionNumber(source, a.fact) - dimensionNumber(source, b.fact) || a.fact - b.fact,
  );
}

function problemTallies<D extends string>(
  source: SuspectCalls<D>,
  calls: readonly SuspectCall[],
): readonly ProblemTallies<D>[] {
  return PROBLEMS.map((problem) => new ProblemTallies(source, calls, problem));
}

function dimensionNumber<D extends string>({ dimensions, facts }: SuspectCalls<D>, fact: number): number {
  const found = facts[fact];
  return found === undefined ? dimensions.length : dimensions.indexOf(found.dimension);
}
