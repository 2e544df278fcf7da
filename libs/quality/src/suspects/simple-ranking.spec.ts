import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  option,
  property,
  record,
  subarray,
  type Arbitrary,
} from 'fast-check';
import { evidence } from './evidence.js';
import { gateQuantile, isTested, LEAST_CALLS, standsOut } from './gate.js';
import { rankSuspects, type CountedFact, type Ranking } from './rank.js';
import { PROBLEMS, type Fact, type Problem, type SuspectCall, type SuspectCalls } from './suspect-calls.js';
import { troubledShare, type Tally } from './tally.js';
import { wilson } from './wilson.js';

const DIMENSIONS = ['device', 'trunk', 'hop', 'site'] as const;
const FACTS: readonly Fact[] = DIMENSIONS.flatMap((dimension) =>
  ['a', 'b', 'c'].map((value) => ({ dimension, value: `${dimension} ${value}` })),
);
const LIMIT = 4;

/** Counted anew for each question and each round, as the rules are written: an oracle. */
class SimpleRanking {
  private readonly z: number;
  readonly tested: number;

  constructor(private readonly source: SuspectCalls) {
    const tallies = PROBLEMS.flatMap((problem) => FACTS.map((_, fact) => this.inside(source.calls, problem, fact)));
    this.tested = tallies.filter(isTested).length;
    this.z = gateQuantile(this.tested);
  }

  suspects(): readonly unknown[] {
    const found: unknown[] = [];
    let { calls } = this.source;
    for (
      let [best] = this.candidates(calls);
      best !== undefined && found.length < LIMIT;
      [best] = this.candidates(calls)
    ) {
      const { fact: accused, problem, inside } = best;
      const others = calls.filter(({ facts }) => !facts.includes(accused));
      const left = this.candidates(others).map(({ name }) => name);
      const gone = this.candidates(calls).filter(({ name }) => !left.includes(name));
      const same = gone.filter(
        (each) =>
          each.problem === problem &&
          each.inside.calls === inside.calls &&
          others.every(({ facts }) => !facts.includes(each.fact)),
      );
      const [named = best, ...rest] = same.toSorted((a, b) => a.fact - b.fact);
      found.push({
        ...this.counted(named),
        fact: named.fact,
        share: troubledShare(this.counted(named)),
        ...wilson(this.counted(named)),
        elsewhere: troubledShare(named.elsewhere),
        excess: troubledShare(this.counted(named)) - troubledShare(named.elsewhere),
        evidence: named.score,
        same: rest.map(({ fact }) => FACTS[fact]),
        explains: gone.filter(({ fact }) => same.every((each) => each.fact !== fact)).map((each) => this.counted(each)),
      });
      calls = others;
    }
    return found;
  }

  private counted({ problem, fact }: { readonly problem: Problem; readonly fact: number }): CountedFact {
    return {
      problem,
      ...(FACTS[fact] ?? { dimension: '', value: '' }),
      ...this.inside(this.source.calls, problem, fact),
    };
  }

  // oxlint-disable-next-line typescript/explicit-function-return-type -- read by `suspects` alone
  private candidates(calls: readonly SuspectCall[]) {
    const all = PROBLEMS.flatMap((problem) =>
      FACTS.map((_, fact) => {
        const [inside, elsewhere] = [this.inside(calls, problem, fact), this.elsewhere(calls, problem, fact)];
        return { name: `${problem} ${fact}`, problem, fact, inside, elsewhere, score: evidence(inside, elsewhere) };
      }),
    );
    const standing = all.filter(({ problem, fact, inside, elsewhere }) => {
      const hasRefusedAll = isBlamed(problem, fact) && inside.calls - inside.troubled < LEAST_CALLS;
      return isTested(inside) && !hasRefusedAll && standsOut(inside, elsewhere, this.z);
    });
    return standing.toSorted((a, b) => b.score - a.score || a.fact - b.fact);
  }

  private inside(calls: readonly SuspectCall[], problem: Problem, fact: number): Tally {
    const own = calls.filter(({ facts, problems }) => facts.includes(fact) && problems[problem] !== undefined);
    const troubled = own.filter(
      ({ problems, refusedBy }) => problems[problem] === true && (!isBlamed(problem, fact) || refusedBy === fact),
    );
    return { calls: own.length, troubled: troubled.length };
  }

  private elsewhere(calls: readonly SuspectCall[], problem: Problem, fact: number): Tally {
    const others = calls.filter(({ facts }) => !facts.includes(fact));
    const dimension = dimensionOfFact(fact);
    const [all, peers] = [others, others.filter(({ known }) => (known >> dimension) & 1)].map((each): Tally => {
      const own = each.filter(({ problems }) => problems[problem] !== undefined);
      return { calls: own.length, troubled: own.filter(({ problems }) => problems[problem] === true).length };
    });
    if (all === undefined || peers === undefined) throw new Error('there is nothing elsewhere');
    return peers.calls >= 50 && peers.troubled * all.calls > all.troubled * peers.calls ? peers : all;
  }
}

function dimensionOfFact(fact: number): number {
  return DIMENSIONS.findIndex((each) => each === FACTS[fact]?.dimension);
}

function isBlamed(problem: Problem, fact: number): boolean {
  return problem === 'failed' && FACTS[fact]?.dimension === 'hop';
}

/** Many calls that are alike: with few, nothing passes the gate. */
const alike: Arbitrary<readonly SuspectCall[]> = record({
  count: integer({ min: 1, max: 120 }),
  facts: subarray([...FACTS.keys()], { maxLength: 5 }),
  isKnown: boolean(),
  everyBad: option(integer({ min: 1, max: 6 })),
  everyFailed: option(integer({ min: 1, max: 6 })),
  everySilent: constantFrom(null, null, 2),
  refuses: boolean(),
}).map(({ count, facts, isKnown, everyBad, everyFailed, everySilent, refuses }) =>
  Array.from({ length: count }, (_, n): SuspectCall => {
    const dimensions = facts.map(dimensionOfFact);
    const hop = facts.find((fact) => FACTS[fact]?.dimension === 'hop');
    return {
      facts,
      known: dimensions.reduce((bits, dimension) => bits | (1 << dimension), isKnown ? 2 : 0),
      problems: {
        ...(everyBad === null ? {} : { bad: n % everyBad === 0 }),
        ...(everyFailed === null ? {} : { failed: n % everyFailed === 0 }),
        ...(everySilent === null ? {} : { noAudio: n % everySilent === 0 }),
      },
      refusedBy: refuses && everyFailed !== null && n % everyFailed === 0 ? hop : undefined,
    };
  }),
);

describe('the ranking of suspects', () => {
  it('is that of the rules, counted anew for each question', () => {
    let found = 0;
    assert(
      property(array(alike, { minLength: 1, maxLength: 8 }), (groups) => {
        const source = { dimensions: DIMENSIONS, facts: FACTS, calls: groups.flat(), refusing: 'hop' } as const;
        const ranking: Ranking = rankSuspects(source, { limit: LIMIT });
        const simple = new SimpleRanking(source);
        expect(ranking).toEqual({ tested: simple.tested, suspects: simple.suspects() });
        found += ranking.suspects.length;
      }),
      { numRuns: 150, seed: 44 },
    );
    expect(found).toBeGreaterThan(50);
  });
});
