import { axisRange } from './value-range.js';

describe('the values axis', () => {
  it.each([
    ['used', 3.62, 4.31, [3.5, 4.5]],
    ['used', 1.2, 4.6, [1, 5]],
    // At least half a point, also for values that are all the same.
    ['used', 4, 4, [4, 4.5]],
    ['used', null, null, [1, 5]],
    ['fromZero', 3, 4, [0, 4.4]],
    ['fromZero', null, null, [0, 1.1]],
  ] as const)('%s for %s to %s is %j', (range, low, high, ends) => {
    const [from, to] = axisRange(range, low, high);
    expect([from, Number(to.toFixed(3))]).toEqual(ends);
  });

  it('has a height for values that are all zero', () => {
    const [from, to] = axisRange('fromZero', 0, 0);
    expect(to).toBeGreaterThan(from);
  });
});
