import * as fc from 'fast-check';
import { isoTime } from './report-source.js';

describe('a time as text', () => {
  it('is what toISOString of a date returns, for every time that a date can hold', () => {
    const LAST = 8.64e15;
    const moments = fc.oneof(fc.integer({ min: 0, max: 4e12 }), fc.double({ min: -LAST, max: LAST, noNaN: true }));
    fc.assert(
      fc.property(moments, (at) => {
        expect(isoTime(at)).toBe(new Date(at).toISOString());
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([NaN, Infinity, 8.64e15 + 1])('does not exist for %d', (at) => {
    expect(() => isoTime(at)).toThrow(RangeError);
  });
});
