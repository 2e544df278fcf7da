import { AnswerCounts } from './answer-counts.js';

describe('the count of replies', () => {
  it('starts at 1 for each front end and increases by one', () => {
    const counts = new AnswerCounts();
    expect([counts.next('fe1'), counts.next('fe2'), counts.next('FE1'), counts.next('fe1')]).toEqual([1, 1, 2, 3]);
  });

  it('counts requests that do not name a front end together', () => {
    const counts = new AnswerCounts();
    expect([counts.next(), counts.next(), counts.next('fe1')]).toEqual([1, 2, 1]);
  });

  it('is returned with the times of the first and the last reply', () => {
    let now = 1_000;
    const counts = new AnswerCounts(2, () => now);
    counts.next('fe1');
    now = 5_000;
    counts.next('FE1');
    counts.lost('fe1');
    expect(counts.of('Fe1')).toEqual({ count: 2, unavailable: 1, firstAt: 1_000, lastAt: 5_000 });
    expect(counts.of('fe2')).toBeUndefined();
  });

  it('drops the front end that was silent longest when there are too many', () => {
    const counts = new AnswerCounts(2);
    for (const name of ['a', 'b', 'a', 'c']) counts.next(name);
    expect([counts.next('a'), counts.next('b')]).toEqual([3, 1]);
  });
});
