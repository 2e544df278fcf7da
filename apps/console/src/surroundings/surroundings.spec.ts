import type { SurroundingCalls } from '../api/answers.js';
import { hasTrouble, judgedSurroundings, surroundingsVerdict } from './surroundings.js';

type Counts = readonly [bad: number, calls: number];

function around(value: string, [bad, calls]: Counts, [usualBad, usualCalls]: Counts): SurroundingCalls {
  const usual = { bad: usualBad, calls: usualCalls };
  return { dimension: 'trunk', value, problem: 'failed', hour: { bad, calls }, usual, search: {} };
}

const verdictOf = (...items: readonly SurroundingCalls[]): string => surroundingsVerdict(judgedSurroundings(items));

describe('whether it was only this call', () => {
  it.each<[string, Counts, Counts]>([
    ['other', [12, 34], [20, 1_000]],
    ['other', [5, 5], [0, 20]],
    ['only', [1, 34], [20, 1_000]],
    ['only', [2, 200], [0, 1_000]],
    ['only', [12, 34], [350, 1_000]],
    ['only', [3, 40], [40, 1_000]],
    ['unclear', [4, 4], [0, 1_000]],
    ['unclear', [12, 34], [0, 19]],
  ])('is "%s" with %j in the hour, and %j usually', (verdict, hour, usual) => {
    expect(verdictOf(around('a', hour, usual))).toBe(verdict);
  });

  it('is asked of bad calls and faults, not where a person or number answered', () => {
    const good = { state: 'ended', end: null, verdict: 'good', audio: null } as const;
    const failed = (code: number | null): boolean =>
      hasTrouble({ ...good, state: 'failed', end: { reason: 'error', by: null, code, phrase: null, diagnostics: [] } });
    expect([503, 408, 486, 404, null].map(failed)).toEqual([true, true, false, false, false]);
    expect([good, { ...good, verdict: 'poor' } as const].map(hasTrouble)).toEqual([false, true]);
  });

  it('is "other" if one of several was worse than usual, and unclear without any', () => {
    const quiet = around('quiet', [1, 50], [10, 1_000]);
    const few = around('few', [1, 1], [0, 0]);
    expect(verdictOf(few, quiet)).toBe('only');
    expect(verdictOf(few, quiet, around('worse', [12, 34], [20, 1_000]))).toBe('other');
    expect(verdictOf()).toBe('unclear');
  });

  it('names a trunk that is rare otherwise, before a site that only has its calls', () => {
    const rows = judgedSurroundings([around('site', [5, 9], [1, 46]), around('trunk', [5, 6], [0, 3])]);
    expect(rows.map(({ value, isMore }) => [value, isMore])).toEqual([
      ['trunk', true],
      ['site', true],
    ]);
  });

  it('has the worst first, and those with too few calls last', () => {
    const rows = judgedSurroundings([
      around('few', [1, 1], [0, 0]),
      around('quiet', [1, 50], [10, 1_000]),
      around('worse', [12, 40], [20, 1_000]),
      around('worst', [20, 40], [20, 1_000]),
    ]);
    expect(rows.map(({ value }) => value)).toEqual(['worst', 'worse', 'quiet', 'few']);
  });
});
