import type { CallTallies } from './call-tallies.js';
import { evidence } from './evidence.js';
import { isTested, LEAST_CALLS, standsOut } from './gate.js';
import { PROBLEMS, type Problem, type SuspectCalls } from './suspect-calls.js';
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
export function countTests<D extends string>({ facts }: SuspectCalls<D>, tallies: CallTallies<D>): number {
  let tests = 0;
  for (const problem of PROBLEMS) for (const fact of facts.keys()) if (isTested(tallies.inside(problem, fact))) tests++;
  return tests;
}

/**
 * The first candidate, then the first one among the calls that it does not have, and so on: what only shares the calls of one before it is
 * no suspect of its own. `left`: of all calls; afterwards of those that no suspect has.
 */
export function explain<D extends string>(
  source: SuspectCalls<D>,
  left: CallTallies<D>,
  options: ExplainOptions,
): readonly Explained[] {
  const found: Explained[] = [];
  let { calls } = source;
  let standing = candidates(source, left, options);
  while (found.length < options.limit) {
    const [best] = standing;
    if (best === undefined) break;
    calls = calls.filter((call) => {
      const isOwn = call.facts.includes(best.fact);
      if (isOwn) left.remove(call);
      return !isOwn;
    });
    const others = candidates(source, left, options);
    const names = new Set(others.map(candidateName));
    const gone = standing.filter((each) => !names.has(candidateName(each)));
    found.push(explainedBy(best, gone, left));
    standing = others;
  }
  return found;
}

function candidateName({ problem, fact }: Candidate): string {
  return `${problem} ${fact}`;
}

/** Of those with the same calls, the one of the first dimension gives the name. `left`: the calls without those of the best one. */
function explainedBy<D extends string>(best: Candidate, gone: readonly Candidate[], left: CallTallies<D>): Explained {
  const same = gone.filter(
    ({ problem, fact, inside }) =>
      problem === best.problem && inside.calls === best.inside.calls && left.callsWith(fact) === 0,
  );
  const order = ({ fact }: Candidate): number => left.dimensionOf(fact);
  const [named = best, ...sameAsIt] = same.toSorted((a, b) => order(a) - order(b) || a.fact - b.fact);
  const facts = new Set(same.map(({ fact }) => fact));
  return { candidate: named, same: sameAsIt, explains: gone.filter(({ fact }) => !facts.has(fact)) };
}

/** Whose share is larger than elsewhere, the best first. */
function candidates<D extends string>(
  { facts }: SuspectCalls<D>,
  tallies: CallTallies<D>,
  { z, score = evidence }: ExplainOptions,
): readonly Candidate[] {
  const found: Candidate[] = [];
  for (const problem of PROBLEMS)
    for (const fact of facts.keys()) {
      const inside = tallies.inside(problem, fact);
      if (!isTested(inside)) continue;
      // One that is known only by what it refused has refused everything.
      if (tallies.isRefusing(problem, fact) && inside.calls - inside.troubled < LEAST_CALLS) continue;
      const elsewhere = tallies.elsewhere(problem, fact);
      if (!standsOut(inside, elsewhere, z)) continue;
      found.push({ problem, fact, inside, elsewhere, score: score(inside, elsewhere) });
    }
  const order = ({ fact }: Candidate): number => tallies.dimensionOf(fact);
  return found.toSorted((a, b) => b.score - a.score || order(a) - order(b) || a.fact - b.fact);
}
