import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const FEED = join(import.meta.dirname, '..', '..', '..', '..', 'bench', 'feed');

type Row<T = string> = readonly [string, (round: number) => Promise<T>];
type Rounds = readonly [string, readonly number[]];
interface StoredCall {
  readonly records: number;
  readonly places: number;
}
interface Tried {
  readonly pace: number;
  readonly isKept: boolean;
}

/** What is used of the scripts below: they have no types. */
interface Scripts {
  readonly inRounds: <T>(
    rows: readonly Row<T>[],
    options?: { readonly figureOf: (result: T) => number },
  ) => Promise<ReadonlyMap<string, readonly T[]>>;
  readonly cell: (values: readonly number[], format: (value: number) => string) => string;
  readonly unsteady: (figures: readonly Rounds[]) => readonly string[];
  readonly disturbed: (shares: readonly Rounds[]) => readonly string[];
  readonly Ledger: new (from: number) => {
    note(number: number, what: string, isAcknowledged: boolean): void;
    bytes(): Uint8Array;
  };
  readonly compareLedger: (given: {
    readonly from: number;
    readonly bytes: Uint8Array;
    readonly storedOf: (key: string) => StoredCall | undefined;
  }) => unknown;
  readonly callIdOf: (number: number) => string;
  readonly nextPace: (tries: readonly Tried[]) => number | undefined;
}

async function load(): Promise<Scripts> {
  const names = ['rounds', 'ledger', 'traffic', 'pace-search'];
  const modules = await Promise.all(
    names.map((name) => import(pathToFileURL(join(FEED, `${name}.mjs`)).href) as Promise<object>),
  );
  return Object.assign({}, ...modules) as Scripts;
}

let scripts: Scripts;
beforeAll(async () => {
  scripts = await load();
});

describe('rounds of the bench of the feed', () => {
  it('measures the rows in turns, in every second round the other way round', async () => {
    const measured: string[] = [];
    const row = (name: string): Row => [
      name,
      (round) => {
        measured.push(name);
        return Promise.resolve(`${name}${round}`);
      },
    ];
    const results = await scripts.inRounds(['a', 'b', 'c'].map(row));
    expect(measured.join('')).toBe('abccbaabc');
    expect([...results]).toEqual([
      ['a', ['a0', 'a1', 'a2']],
      ['b', ['b0', 'b1', 'b2']],
      ['c', ['c0', 'c1', 'c2']],
    ]);
  });

  it('measures all of them again while the rounds of one differ, at most four times', async () => {
    const measured: number[] = [];
    const row = (name: string, values: readonly number[]): Row<number> => [
      name,
      () => {
        const value = values[measured.length % values.length] ?? 0;
        measured.push(value);
        return Promise.resolve(value);
      },
    ];
    const figureOf = (value: number): number => value;
    await expect(
      scripts.inRounds([row('steady at last', [90, 120, 100, 100, 101, 99])], { figureOf }),
    ).resolves.toEqual(new Map([['steady at last', [100, 101, 99]]]));
    measured.length = 0;
    await scripts.inRounds([row('never steady', [90, 120, 100])], { figureOf });
    expect(measured).toHaveLength(12);
  });

  it('measures a row again beside which other programs were busy, at most three times', async () => {
    const shares = [0.3, 0.05, 0.02, 0.5, 0.4, 0.2];
    const row: Row<{ readonly others: number }> = ['a', () => Promise.resolve({ others: shares.shift() ?? 1 })];
    const results = await scripts.inRounds([row]);
    expect(results.get('a')).toEqual([{ others: 0.05 }, { others: 0.02 }, { others: 0.2 }]);
  });

  it('writes the median of the rounds first', () => {
    const whole = (value: number): string => String(value);
    expect(scripts.cell([30, 10, 20], whole)).toBe('20 (10 to 30)');
    expect(scripts.cell([10, 40, 20, 30], whole)).toBe('25 (10 to 40)');
    expect(scripts.cell([10], whole)).toBe('10');
  });

  it('names the rows whose rounds differ by more than 15 % of their median', () => {
    const figures: readonly Rounds[] = [
      ['steady', [100, 107, 92]],
      ['one slow round', [100, 101, 80]],
      ['one round', [100]],
    ];
    expect(scripts.unsteady(figures)).toEqual([
      'one slow round: rounds differ by 21 % of their median (100.0, 101.0, 80.00)',
    ]);
  });
});

describe('the machine of the bench of the feed', () => {
  it('is named as disturbed when other programs use more than a tenth of it', () => {
    const shares: readonly Rounds[] = [
      ['quiet', [0, 0.1, 0.02]],
      ['disturbed', [0, 0.41, 0]],
    ];
    expect(scripts.disturbed(shares)).toEqual(['disturbed: other programs used 41 % of the machine']);
  });
});

describe('the ledger of the bench of the feed', () => {
  function compare(
    stored: readonly (StoredCall | undefined)[],
    note: (ledger: InstanceType<Scripts['Ledger']>) => void,
  ): unknown {
    const ledger = new scripts.Ledger(7);
    note(ledger);
    const byKey = new Map(stored.map((call, index) => [scripts.callIdOf(7 + index), call]));
    return scripts.compareLedger({ from: 7, bytes: ledger.bytes(), storedOf: (key) => byKey.get(key) });
  }

  it('finds acknowledged records that are not stored, and calls without any', () => {
    const found = compare([{ records: 1, places: 1 }, undefined], (ledger) => {
      for (const what of ['start', 'ended']) ledger.note(7, what, true);
      ledger.note(8, 'start', true);
    });
    expect(found).toEqual({ acknowledged: 3, lost: 2, doubled: 0 });
  });

  it('finds records and calls that are stored twice', () => {
    const stored = [
      { records: 2, places: 1 },
      { records: 1, places: 2 },
    ];
    const found = compare(stored, (ledger) => {
      for (const number of [7, 8]) ledger.note(number, 'start', true);
    });
    expect(found).toEqual({ acknowledged: 2, lost: 0, doubled: 2 });
  });

  it('lets a record without an answer be stored or not', () => {
    const stored = [{ records: 2, places: 1 }, undefined, undefined, { records: 1, places: 1 }];
    const found = compare(stored, (ledger) => {
      ledger.note(7, 'start', true);
      ledger.note(7, 'caller', false);
      ledger.note(8, 'start', false);
      ledger.note(10, 'callee', true);
    });
    expect(found).toEqual({ acknowledged: 2, lost: 0, doubled: 0 });
  });
});

describe('the search for the highest pace', () => {
  it.each([
    ['higher after one that was kept', [{ pace: 1_000, isKept: true }], 1_250],
    ['lower after one that was not', [{ pace: 1_000, isKept: false }], 800],
    [
      'between the two that are closest',
      [
        { pace: 800, isKept: true },
        { pace: 1_000, isKept: false },
      ],
      900,
    ],
    [
      'nothing when they are close',
      [
        { pace: 950, isKept: true },
        { pace: 1_000, isKept: false },
      ],
      undefined,
    ],
    [
      'higher when a lower one was not kept by chance',
      [
        { pace: 800, isKept: false },
        { pace: 1_000, isKept: true },
      ],
      1_250,
    ],
  ])('tries %s', (_what, tries, next) => {
    expect(scripts.nextPace(tries)).toBe(next);
  });
});
