import { assert, array, integer, property } from 'fast-check';
import { nthSmallest } from './nth-smallest.js';

describe('nthSmallest', () => {
  it('finds what sorting would put at each index', () => {
    const few = array(integer({ min: -3, max: 12 }), { maxLength: 40 });
    assert(
      property(few, (numbers) => {
        const sorted = numbers.toSorted((a, b) => a - b);
        const found = numbers.map((_, index) => nthSmallest(Float64Array.from(numbers), index));
        expect(found).toEqual(sorted);
      }),
    );
  });

  it('finds nothing beyond the end', () => {
    expect(nthSmallest(Float64Array.from([1, 2]), 2)).toBeUndefined();
    expect(nthSmallest(Float64Array.from([]), 0)).toBeUndefined();
  });
});
