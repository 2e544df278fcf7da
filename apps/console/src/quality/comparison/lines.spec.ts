import type { Dimension } from '../../api/answers.js';
import { criteriaParameters, criteriaIn } from '../../search/filter.js';
import { comparedValues, criteriaOfValues, filteredValues, valueLines, weekLines } from './lines.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FRAME = {
  from: Date.parse('2026-11-22T00:00:00Z'),
  to: Date.parse('2026-11-23T00:00:00Z'),
  coarse: 60,
  fine: 60,
};

describe('the lines of a comparison', () => {
  it('are the chosen values, else those of the filter, else the most frequent ones', () => {
    const known = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    expect(comparedValues(['g', 'z'], ['a', 'b'], known)).toEqual(['g', 'z']);
    expect(comparedValues([], ['b', 'C'], known)).toEqual(['b', 'c']);
    expect(comparedValues([], ['b'], known)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('can be told apart without colours', () => {
    const looks = valueLines('codec', ['a', 'b', 'c', 'd', 'e', 'f'], FRAME).map(
      ({ colour, isDashed }) => `${colour} ${isDashed}`,
    );
    expect(new Set(looks).size).toBe(6);
  });

  it('of weeks are at the same time of the week', () => {
    const starts = weekLines(3, FRAME).map(({ frame }) => (FRAME.from - frame.from) / DAY);
    expect(starts).toEqual([0, 7, 14]);
  });

  it('of weeks do not overlap if the period is longer than a week', () => {
    const month = { ...FRAME, from: FRAME.to - 30 * DAY };
    expect(weekLines(2, month).map(({ frame }) => (month.from - frame.from) / DAY)).toEqual([0, 35]);
  });

  it.each([
    ['trunk=a&trunk=b&codec=x', 'trunk', ['a', 'b']],
    ['path=direct,relay', 'path', ['direct', 'relay']],
    ['address=10.1.0.0/16', 'subnet', ['10.1.0.0/16']],
    ['codec=x', 'trunk', []],
  ] as const)('find in the filter %s of %s: %j', (search, by, values) => {
    expect(filteredValues(criteriaIn(new URLSearchParams(search)), by)).toEqual(values);
  });

  it('narrow the question to their values where a filter takes several', () => {
    const narrowed = (by: Dimension): object =>
      criteriaParameters(criteriaOfValues(criteriaIn(new URLSearchParams('codec=x')), by, ['a', 'b']));
    expect(narrowed('trunk')).toEqual({ trunk: ['a', 'b'], codec: 'x' });
    for (const by of ['site', 'subnet', 'codec'] as const) expect(narrowed(by)).toEqual({ codec: 'x' });
  });
});
