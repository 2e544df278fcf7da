import { rankValues, topBad } from './ranking.js';
import { answered, item } from './statistics-example.js';

describe('the ranking of values', () => {
  const answer = answered(
    item(10, 'Oslo', { good: 90, bad: 2 }),
    item(11, 'Oslo', { bad: 1 }),
    item(10, 'Bergen', { good: 1, bad: 3 }),
    item(10, 'Rome', { good: 50, poor: 9 }),
    item(10, null, { bad: 8 }),
    item(12, 'Athens', { good: 50, poor: 9 }),
  );

  it('is by bad streams of the whole time, then by their share, then by name', () => {
    expect(rankValues(answer).map(({ value, counts }) => [value, counts.bad])).toEqual([
      [null, 8],
      ['Bergen', 3],
      ['Oslo', 3],
      ['Athens', 0],
      ['Rome', 0],
    ]);
  });

  it('limits the top list to values with bad streams and to the requested number', () => {
    expect(topBad(answer, 9).map(({ value }) => value)).toEqual([null, 'Bergen', 'Oslo']);
    expect(topBad(answer, 2)).toHaveLength(2);
    expect(topBad(answered(), 9)).toEqual([]);
  });
});
