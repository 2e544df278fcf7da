import { PROBLEMS, type Problem, type SuspectCall, type SuspectCalls } from './suspect-calls.js';
import type { Tally } from './tally.js';

/** With fewer calls of other values, these say too little. */
const LEAST_PEERS = 50;

/** Counts of one problem, by fact and by dimension. Of hundreds of thousands of pairs of a call and a fact, objects would take most of the time. */
interface ProblemCounts {
  readonly problem: Problem;
  all: number;
  allHad: number;
  readonly calls: Int32Array;
  readonly had: Int32Array;
  /** Those that count against the fact. */
  readonly troubled: Int32Array;
  readonly dimensionCalls: Int32Array;
  readonly dimensionHad: Int32Array;
}

const COLUMNS = ['calls', 'had', 'troubled', 'dimensionCalls', 'dimensionHad'] as const;

/** Counts of all problems, for each fact, of calls that can be removed again: each call is read once, and not for each problem and suspect. */
export class CallTallies<D extends string> {
  private readonly counts: readonly ProblemCounts[];
  /** Of each fact, the number of calls that have it, also those of which no problem is known. */
  private readonly having: Int32Array;
  private readonly dimensions: Int32Array;
  /** The number of the dimension whose facts are blamed only for what they refused themselves. */
  private readonly refusing: number;

  private constructor(private readonly source: SuspectCalls<D>) {
    const { dimensions, facts, refusing } = source;
    this.counts = PROBLEMS.map((problem) => {
      const [ofFacts, ofDimensions] = [facts.length, dimensions.length];
      return {
        problem,
        all: 0,
        allHad: 0,
        calls: zeros(ofFacts),
        had: zeros(ofFacts),
        troubled: zeros(ofFacts),
        dimensionCalls: zeros(ofDimensions),
        dimensionHad: zeros(ofDimensions),
      };
    });
    this.having = zeros(facts.length);
    this.dimensions = Int32Array.from(facts, ({ dimension }) => dimensions.indexOf(dimension));
    this.refusing = refusing === undefined ? -1 : dimensions.indexOf(refusing);
  }

  static of<D extends string>(source: SuspectCalls<D>): CallTallies<D> {
    const tallies = new CallTallies(source);
    for (const call of source.calls) tallies.count(call, 1);
    return tallies;
  }

  /** The same counts, of which calls can be removed without a change of these. */
  copy(): CallTallies<D> {
    const copy = new CallTallies(this.source);
    copy.having.set(this.having);
    for (const [n, own] of this.counts.entries()) {
      const counts = copy.counts[n];
      if (counts === undefined) continue;
      [counts.all, counts.allHad] = [own.all, own.allHad];
      for (const column of COLUMNS) counts[column].set(own[column]);
    }
    return copy;
  }

  remove(call: SuspectCall): void {
    this.count(call, -1);
  }

  private count(call: SuspectCall, by: 1 | -1): void {
    for (const fact of call.facts) raise(this.having, fact, by);
    for (const counts of this.counts) {
      const hadIt = call.problems[counts.problem];
      if (hadIt !== undefined) this.countProblem(counts, call, by, hadIt ? by : 0);
    }
  }

  private countProblem(counts: ProblemCounts, call: SuspectCall, by: number, had: number): void {
    counts.all += by;
    counts.allHad += had;
    for (let bits = call.known; bits !== 0; bits &= bits - 1) {
      const dimension = 31 - Math.clz32(bits & -bits);
      raise(counts.dimensionCalls, dimension, by);
      raise(counts.dimensionHad, dimension, had);
    }
    for (const fact of call.facts) {
      raise(counts.calls, fact, by);
      if (had === 0) continue;
      raise(counts.had, fact, had);
      if (!this.isRefusing(counts.problem, fact) || call.refusedBy === fact) raise(counts.troubled, fact, had);
    }
  }

  /** How many calls have it. */
  callsWith(fact: number): number {
    return this.having[fact] ?? 0;
  }

  /** The number of its dimension. */
  dimensionOf(fact: number): number {
    return this.dimensions[fact] ?? -1;
  }

  /** Whether it is blamed only for calls that failed at it, and not for all that passed it. */
  isRefusing(problem: Problem, fact: number): boolean {
    return problem === 'failed' && this.refusing >= 0 && this.dimensionOf(fact) === this.refusing;
  }

  inside(problem: Problem, fact: number): Tally {
    const { calls, troubled } = this.of(problem);
    return { calls: calls[fact] ?? 0, troubled: troubled[fact] ?? 0 };
  }

  /**
   * The worse of all other calls and of those with another value of the dimension: all trunks may be a bit worse than calls within the
   * company, and then none is a culprit; a single relay may still be one.
   */
  elsewhere(problem: Problem, fact: number): Tally {
    const counts = this.of(problem);
    const [calls, had] = [counts.calls[fact] ?? 0, counts.had[fact] ?? 0];
    const dimension = this.dimensionOf(fact);
    const others = { calls: counts.all - calls, troubled: counts.allHad - had };
    const peers = {
      calls: (counts.dimensionCalls[dimension] ?? calls) - calls,
      troubled: (counts.dimensionHad[dimension] ?? had) - had,
    };
    const isPeerWorse = peers.troubled * others.calls > others.troubled * peers.calls;
    return peers.calls >= LEAST_PEERS && isPeerWorse ? peers : others;
  }

  private of(problem: Problem): ProblemCounts {
    const found = this.counts[PROBLEMS.indexOf(problem)];
    if (found === undefined) throw new RangeError(`there is no problem ${problem}`);
    return found;
  }
}

function raise(counts: Int32Array, index: number, by: number): void {
  counts[index] = (counts[index] ?? 0) + by;
}

function zeros(length: number): Int32Array {
  return new Int32Array(length);
}
