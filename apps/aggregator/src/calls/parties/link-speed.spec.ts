import { slowestLink } from './link-speed.js';

describe('the speed of the slowest link', () => {
  it.each([
    [[], null],
    [[54e6, 1e9], 54e6],
    [[4_294_967_300], null],
    [[4_294_967_295, 1e9], 1e9],
    [[0, -1, Number.NaN, Infinity], null],
  ])('of %j is %s', (speeds, expected) => {
    expect(slowestLink({ parties: speeds.map((linkSpeed) => ({ linkSpeed })), streams: [] })).toBe(expected);
  });
});
