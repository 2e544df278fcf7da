import * as fc from 'fast-check';
import { MOST_KEY, radixOrder } from './radix-order.js';

describe('the order of keys', () => {
  it('is that of a stable sort by comparison', () => {
    const key = fc.oneof(fc.integer({ min: 0, max: MOST_KEY }), fc.integer({ min: 0, max: 3 }));
    fc.assert(
      fc.property(fc.array(key), (keys) => {
        const places = keys.map((_, place) => place);
        const expected = places.toSorted((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
        expect([...radixOrder(Uint32Array.from(keys))]).toEqual(expected);
      }),
    );
  });
});
