import { rankSuspects, type Ranking } from './rank.js';
import type { Problem, SuspectCall, SuspectCalls } from './suspect-calls.js';

const DIMENSIONS = ['device', 'bssid', 'trunk', 'hop', 'site'] as const;

type Name = `${(typeof DIMENSIONS)[number]} ${string}`;

/** So many calls with these values, of which so many had the problem. */
type Rows = readonly (readonly [calls: number, troubled: number, names: readonly Name[]])[];

interface Options {
  readonly problem?: Problem;
  /** Which of them refused the troubled calls. */
  readonly refusedBy?: Name;
}

function asCalls(rows: Rows, { problem = 'bad', refusedBy }: Options = {}): SuspectCalls {
  const names = [...new Set(rows.flatMap(([, , own]) => own))];
  const facts = names.map((name) => {
    const [dimension = '', value = ''] = name.split(' ');
    return { dimension, value };
  });
  const calls = rows.flatMap(([count, troubled, own]) =>
    Array.from({ length: count }, (_, n): SuspectCall => {
      const dimensions = own.map((name) => DIMENSIONS.findIndex((each) => name.startsWith(each)));
      const isRefused = n < troubled && refusedBy !== undefined && own.includes(refusedBy);
      return {
        facts: own.map((name) => names.indexOf(name)),
        known: dimensions.reduce((bits, dimension) => bits | (1 << dimension), 0),
        problems: { [problem]: n < troubled },
        refusedBy: isRefused ? names.indexOf(refusedBy) : undefined,
      };
    }),
  );
  return { dimensions: DIMENSIONS, facts, calls, refusing: 'hop' };
}

function rank(rows: Rows, options?: Options): Ranking {
  return rankSuspects(asCalls(rows, options), { limit: 10 });
}

function accused({ suspects }: Ranking): readonly string[] {
  return suspects.map(({ dimension, value }) => `${dimension} ${value}`);
}

const USUAL: Rows = [
  [400, 14, ['device jubilee', 'site oslo']],
  [300, 10, ['device plantar', 'site bergen']],
];

describe('the ranking of suspects', () => {
  it('names the value whose calls are bad, with its numbers', () => {
    const { suspects, tested } = rank([...USUAL, [100, 50, ['device sonora', 'site oslo']]]);
    expect(tested).toBe(5);
    expect(suspects).toMatchObject([
      { problem: 'bad', dimension: 'device', value: 'sonora', calls: 100, troubled: 50, share: 0.5, same: [] },
    ]);
    const [suspect] = suspects;
    expect(suspect?.low).toBeCloseTo(0.4038, 4);
    expect(suspect?.high).toBeCloseTo(0.5962, 4);
    expect(suspect?.elsewhere).toBeCloseTo(24 / 700, 6);
    expect(suspect?.excess).toBeCloseTo(0.5 - 24 / 700, 6);
    expect(suspect?.evidence).toBeGreaterThan(50);
  });

  it('accuses nobody without a culprit, and when everything is equally bad', () => {
    expect(rank(USUAL).suspects).toEqual([]);
    expect(rank([]).suspects).toEqual([]);
    const everything: Rows = [
      [400, 320, ['device jubilee', 'site oslo']],
      [300, 245, ['device plantar', 'site bergen']],
    ];
    expect(rank(everything).suspects).toEqual([]);
  });

  it('accuses the set, and not what contains it or a part of it; these are explained by it', () => {
    const rows: Rows = [
      ...USUAL,
      [200, 6, ['site lisbon']],
      [30, 19, ['site lisbon', 'bssid faulty', 'device built-in']],
      [60, 35, ['site lisbon', 'bssid faulty']],
      [60, 2, ['device built-in']],
    ];
    const ranking = rank(rows);
    expect(accused(ranking)).toEqual(['bssid faulty']);
    expect(ranking.suspects[0]?.explains).toMatchObject([
      { dimension: 'site', value: 'lisbon', calls: 290, troubled: 60 },
      { dimension: 'device', value: 'built-in', calls: 90, troubled: 21 },
    ]);
  });

  it('makes one item of values with the same calls, named by the first dimension', () => {
    const ranking = rank([...USUAL, [80, 40, ['site boston', 'hop 10.0.0.9', 'trunk bayline']]]);
    expect(accused(ranking)).toEqual(['trunk bayline']);
    expect(ranking.suspects[0]?.same).toEqual([
      { dimension: 'hop', value: '10.0.0.9' },
      { dimension: 'site', value: 'boston' },
    ]);
    expect(ranking.suspects[0]?.explains).toEqual([]);
  });

  it('finds two culprits, the one with more evidence first, and compares the second without the calls of the first', () => {
    const ranking = rank([
      ...USUAL,
      [100, 60, ['device sonora', 'bssid faulty']],
      [100, 60, ['device sonora']],
      [100, 45, ['bssid faulty']],
    ]);
    expect(accused(ranking)).toEqual(['device sonora', 'bssid faulty']);
    expect(ranking.suspects[1]).toMatchObject({ calls: 200, troubled: 105 });
    expect(ranking.suspects[1]?.elsewhere).toBeCloseTo(24 / 700, 6);
  });

  it('compares a value with the others of its dimension where these are worse', () => {
    const trunks: Rows = [
      [1_000, 10, ['site oslo']],
      [100, 15, ['trunk one']],
      [100, 14, ['trunk two']],
      [100, 16, ['trunk three']],
    ];
    expect(rank(trunks).suspects).toEqual([]);
    // Without peers, it is compared with everything.
    expect(accused(rank([trunks[0] ?? [0, 0, []], [100, 20, ['trunk one']]]))).toEqual(['trunk one']);
  });

  it('blames a server only for what it refused itself, and not if it is known by nothing else', () => {
    const others: Rows = [[500, 10, ['hop fe1']]];
    const passed: Rows = [...others, [80, 40, ['hop fe1', 'hop sbc1']]];
    const ranking = rank(passed, { problem: 'failed', refusedBy: 'hop sbc1' });
    expect(ranking.suspects).toMatchObject([
      { problem: 'failed', dimension: 'hop', value: 'sbc1', calls: 80, troubled: 40 },
    ]);
    expect(rank(passed, { problem: 'failed', refusedBy: 'hop fe2' }).suspects).toEqual([]);
    const refusedOnly: Rows = [...others, [40, 40, ['hop fe1', 'hop sbc1']]];
    expect(rank(refusedOnly, { problem: 'failed', refusedBy: 'hop sbc1' }).suspects).toEqual([]);
  });

  it('lists one value once, whatever is wrong with its calls', () => {
    const bad = asCalls([...USUAL, [100, 50, ['device sonora']]]);
    const both = {
      ...bad,
      calls: bad.calls.map((call) => ({
        ...call,
        problems: { ...call.problems, noAudio: call.problems.bad === true },
      })),
    };
    const { suspects } = rankSuspects(both, { limit: 10 });
    expect(suspects).toMatchObject([{ dimension: 'device', value: 'sonora', explains: [] }]);
  });

  it('does not depend on the names of values or the order of calls', () => {
    const source = asCalls([
      ...USUAL,
      [100, 60, ['device sonora', 'bssid faulty', 'site oslo']],
      [100, 55, ['bssid faulty', 'site bergen']],
      [90, 50, ['device sonora']],
    ]);
    const last = source.facts.length - 1;
    const turned: SuspectCalls = {
      ...source,
      facts: source.facts.map(({ dimension, value }) => ({ dimension, value: `other ${value}` })).toReversed(),
      calls: source.calls.map((call) => ({ ...call, facts: call.facts.map((fact) => last - fact) })).toReversed(),
    };
    const named = ({ suspects }: Ranking): unknown =>
      suspects.map(({ value, fact: _fact, ...rest }) => ({ ...rest, value: value.replace('other ', '') }));
    const plain = (ranking: Ranking): unknown => JSON.parse(JSON.stringify(named(ranking)).replaceAll('other ', ''));
    const first = rankSuspects(source, { limit: 10 });
    expect(first.suspects.length).toBeGreaterThan(1);
    expect(plain(rankSuspects(turned, { limit: 10 }))).toEqual(plain(first));
  });

  it('has at most so many items as are wanted', () => {
    const rows: Rows = [...USUAL, [100, 50, ['device sonora']], [100, 40, ['bssid faulty']]];
    expect(accused(rankSuspects(asCalls(rows), { limit: 1 }))).toEqual(['device sonora']);
  });
});
