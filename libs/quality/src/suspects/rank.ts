import { CallTallies } from './call-tallies.js';
import { countTests, explain, type Candidate, type Score } from './explain.js';
import { gateQuantile } from './gate.js';
import type { Fact, Problem, SuspectCalls } from './suspect-calls.js';
import { troubledShare, type Tally } from './tally.js';
import { wilson } from './wilson.js';

/** A fact and its calls. */
export interface CountedFact<D extends string = string> extends Fact<D>, Tally {
  readonly problem: Problem;
}

/** What the troubled calls have in common more often than the others. */
export interface Suspect<D extends string = string> extends CountedFact<D> {
  /** Its index in the facts. */
  readonly fact: number;
  readonly share: number;
  /** The interval of the share in which it is with 95 %. */
  readonly low: number;
  readonly high: number;
  /** The share among the calls that it is compared with: without those of the suspects before it. */
  readonly elsewhere: number;
  readonly excess: number;
  readonly evidence: number;
  /** With the same calls: nothing tells them apart. */
  readonly same: readonly Fact<D>[];
  /** What stands out only because of these calls, the largest evidence first. */
  readonly explains: readonly CountedFact<D>[];
}

export interface Ranking<D extends string = string> {
  /** How many pairs of a problem and a value were tested; each test is the stricter the more there are. */
  readonly tested: number;
  /** The most likely one first; nobody if nothing stands out. */
  readonly suspects: readonly Suspect<D>[];
}

export interface RankOptions {
  readonly limit: number;
  /** By default the evidence. */
  readonly score?: Score;
}

/** Who is to blame for the troubled calls. The unit is the call: both streams of a call have the same causes and parties. */
export function rankSuspects<D extends string>(source: SuspectCalls<D>, { limit, score }: RankOptions): Ranking<D> {
  const all = CallTallies.of(source);
  const tested = countTests(source, all);
  const found = explain(source, all.copy(), { z: gateQuantile(tested), limit, score });
  const counted = ({ problem, fact }: Candidate): CountedFact<D> => {
    return { problem, ...factAt(source, fact), ...all.inside(problem, fact) };
  };
  const suspects = found.map(({ candidate, same, explains }): Suspect<D> => {
    const own = counted(candidate);
    const [share, elsewhere] = [troubledShare(own), troubledShare(candidate.elsewhere)];
    return {
      ...own,
      fact: candidate.fact,
      share,
      ...wilson(own),
      elsewhere,
      excess: share - elsewhere,
      evidence: candidate.score,
      same: same.map(({ fact }) => factAt(source, fact)),
      explains: explains.map(counted),
    };
  });
  return { tested, suspects };
}

function factAt<D extends string>({ facts }: SuspectCalls<D>, index: number): Fact<D> {
  const found = facts[index];
  if (found === undefined) throw new RangeError(`there is no fact ${index}`);
  return { dimension: found.dimension, value: found.value };
}
