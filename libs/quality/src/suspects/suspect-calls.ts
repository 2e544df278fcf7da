import type { Tally } from './tally.js';

/** What may be wrong with a call; each has its own calls of which it is known. */
export const PROBLEMS = ['bad', 'failed', 'noAudio'] as const;

export type Problem = (typeof PROBLEMS)[number];

/** A device, a network or a server that calls have in common. */
export interface Fact<D extends string = string> {
  readonly dimension: D;
  readonly value: string;
}

export interface SuspectCall {
  /** Indexes in the facts, each once. */
  readonly facts: readonly number[];
  /** Bit n: a value of dimension n is known, also one that is no fact because few calls have it. */
  readonly known: number;
  /** Whether it had the problem; absent if that is not known. */
  readonly problems: Readonly<Partial<Record<Problem, boolean>>>;
  /** The fact of the server that refused it. */
  readonly refusedBy?: number | undefined;
}

export interface SuspectCalls<D extends string = string> {
  /** Where calls have the same facts, the one of the first dimension gives the name. */
  readonly dimensions: readonly D[];
  readonly facts: readonly Fact<D>[];
  readonly calls: readonly SuspectCall[];
  /** Calls fail at one server of those that they pass: only that one is to blame. */
  readonly refusing?: D | undefined;
}

/** Of one problem and one fact. */
export interface FactTally {
  readonly inside: Tally;
  /** What it is compared with. */
  readonly elsewhere: Tally;
}

/** With fewer calls of other values, these say too little. */
const LEAST_PEERS = 50;

/** Counts of one problem, for each fact. */
export class ProblemTallies<D extends string> {
  private readonly all: Counts;
  private readonly byFact: readonly Counts[];
  private readonly byDimension: readonly Counts[];

  constructor(
    private readonly source: Pick<SuspectCalls<D>, 'dimensions' | 'facts' | 'refusing'>,
    calls: readonly SuspectCall[],
    readonly problem: Problem,
  ) {
    this.all = new Counts();
    this.byFact = source.facts.map(() => new Counts());
    this.byDimension = source.dimensions.map(() => new Counts());
    for (const call of calls) this.add(call);
  }

  private add(call: SuspectCall): void {
    const hadIt = call.problems[this.problem];
    if (hadIt === undefined) return;
    this.all.add(hadIt, hadIt);
    this.byDimension.forEach((counts, n) => {
      if ((call.known >> n) & 1) counts.add(hadIt, hadIt);
    });
    for (const fact of call.facts) this.byFact[fact]?.add(hadIt, hadIt && this.isToBlame(fact, call));
  }

  isToBlame(fact: number, { refusedBy }: SuspectCall): boolean {
    return !this.isRefusing(fact) || refusedBy === fact;
  }

  /** Whether it is blamed only for calls that failed at it, and not for all that passed it. */
  isRefusing(fact: number): boolean {
    const { facts, refusing } = this.source;
    return this.problem === 'failed' && refusing !== undefined && facts[fact]?.dimension === refusing;
  }

  inside(fact: number): Tally {
    const { calls, troubled } = this.byFact[fact] ?? new Counts();
    return { calls, troubled };
  }

  /**
   * The worse of all other calls and of those with another value of the dimension: all trunks may be a bit worse than calls within the
   * company, and then none is a culprit; a single relay may still be one.
   */
  elsewhere(fact: number): Tally {
    const own = this.byFact[fact] ?? new Counts();
    const dimension = this.source.dimensions.indexOf(this.dimensionOf(fact));
    const others = without(this.all, own);
    const peers = without(this.byDimension[dimension] ?? own, own);
    const isPeerWorse = peers.troubled * others.calls > others.troubled * peers.calls;
    return peers.calls >= LEAST_PEERS && isPeerWorse ? peers : others;
  }

  private dimensionOf(fact: number): D {
    const found = this.source.facts[fact];
    if (found === undefined) throw new RangeError(`there is no fact ${fact}`);
    return found.dimension;
  }
}

class Counts {
  calls = 0;
  had = 0;
  troubled = 0;

  add(hadIt: boolean, isToBlame: boolean): void {
    this.calls++;
    if (hadIt) this.had++;
    if (isToBlame) this.troubled++;
  }
}

function without(all: Counts, own: Counts): Tally {
  return { calls: all.calls - own.calls, troubled: all.had - own.had };
}
