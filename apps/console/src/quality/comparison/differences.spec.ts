import type { Counted } from '../../parts/share-intervals.js';
import { differences } from './differences.js';

const of = (some: number, all: number): Counted => ({ some, all });

describe('the difference of a line from the others', () => {
  it('is what has more, or fewer, beyond chance', () => {
    expect(differences([[of(60, 200)], [of(10, 200)], [of(12, 200)]])).toEqual([
      { is: 'more', at: 0, share: 0.3, others: 0.055 },
      { is: 'fewer', at: 0, share: 0.05, others: 0.18 },
      { is: 'fewer', at: 0, share: 0.06, others: 0.175 },
    ]);
  });

  it.each([
    ['few calls', of(3, 6), of(1, 6)],
    ['chance', of(16, 200), of(10, 200)],
    ['a usual difference of many calls', of(5_000, 100_000), of(3_000, 100_000)],
    ['nothing to compare with', of(60, 200), of(0, 0)],
    ['nothing of its own', of(0, 0), of(60, 200)],
  ])('is none for %s', (_, one, other) => {
    expect(differences([[one], [other]])).toEqual([undefined, undefined]);
  });

  it('is by the count in which it is largest', () => {
    const [first] = differences([
      [of(90, 100), of(60, 100), of(2, 100)],
      [of(80, 100), of(10, 100), of(1, 100)],
    ]);
    expect(first).toEqual({ is: 'more', at: 1, share: 0.6, others: 0.1 });
  });

  it('is none without lines', () => {
    expect(differences([])).toEqual([]);
  });

  it('asks for more where more is compared', () => {
    const pair = [of(58, 400), of(20, 400)] as const;
    const [alone] = differences([[pair[0]], [pair[1]]]);
    const many = Array.from({ length: 40 }, () => of(0, 0));
    const [among] = differences([
      [pair[0], ...many],
      [pair[1], ...many],
    ]);
    expect([alone?.is, among]).toEqual(['more', undefined]);
  });
});
