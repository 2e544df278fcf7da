import type { LoadItem, LoadStatistics } from '../api/answers.js';
import { loadDivision, loadLines } from './load-lines.js';

describe('the division of the load', () => {
  it.each([
    ['frontEnd=a&frontEnd=b&codec=x', { by: 'frontEnd', values: ['a', 'b'] }],
    ['trunk=a&frontEnd=c&trunk=b&trunk=a', { by: 'trunk', values: ['a', 'b'] }],
    ['frontEnd=a', undefined],
    ['codec=a&codec=b', undefined],
    ['trunk=1&trunk=2&trunk=3&trunk=4&trunk=5&trunk=6&trunk=7', undefined],
    ['', undefined],
  ])('by %s is %j', (filters, division) => {
    expect(loadDivision(filters)).toEqual(division);
  });
});

describe('the lines of the load', () => {
  const item = (minute: number, value: string | null, calls: number): LoadItem => ({
    at: new Date(minute * 60_000).toISOString(),
    value,
    calls,
    averageBandwidth: 0,
    maximumBandwidth: 0,
    attempts: 0,
    attemptsPerSecond: 0,
  });
  const answer = (by: LoadStatistics['by'], ...items: readonly LoadItem[]): LoadStatistics => ({
    from: new Date(0).toISOString(),
    to: new Date(180_000).toISOString(),
    bucketSeconds: 60,
    by,
    values: [],
    valuesLeftOut: 0,
    items,
  });
  const division = { by: 'trunk', values: ['Nordtel', 'bayline'] } as const;

  it('have zero where a value has no calls', () => {
    const lines = loadLines(
      answer('trunk', item(0, 'nordtel', 3), item(2, 'nordtel', 1)),
      division,
      ({ calls }) => calls,
    );
    expect(lines).toEqual({
      begins: [0, 60_000, 120_000],
      lines: [
        { value: 'Nordtel', values: [3, 0, 1] },
        { value: 'bayline', values: [0, 0, 0] },
      ],
    });
  });

  it('are one for all calls without a division, also while the answer is that of another one', () => {
    const whole = { begins: [0], lines: [{ value: undefined, values: [7] }] };
    expect(loadLines(answer(null, item(0, null, 7)), undefined, ({ calls }) => calls)).toEqual(whole);
    expect(loadLines(answer(null, item(0, null, 7)), division, ({ calls }) => calls)).toEqual(whole);
  });
});
