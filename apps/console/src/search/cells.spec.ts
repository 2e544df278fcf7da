import { lastedSeconds, slowestLink } from './cells.js';

const BEGAN = Date.parse('2026-11-21T12:00:00Z');
const beganAt = new Date(BEGAN).toISOString();

describe('the duration of a call in the list', () => {
  it.each([
    ['active', null, 75],
    ['held', null, 75],
    ['invited', null, undefined],
    ['expired', null, undefined],
    ['ended', { seconds: 30, clock: 'frontEnd' }, 30],
  ] as const)('of one that is %s with %j is %s after 75 seconds', (state, duration, seconds) => {
    expect(lastedSeconds({ state, beganAt, duration }, BEGAN + 75_000)).toBe(seconds);
  });
});

describe('the slowest link of a call', () => {
  it('is the lowest known speed of its parties and streams', () => {
    const streams = [{ from: { linkSpeed: 54e6 }, to: null }];
    expect(slowestLink({ parties: [{ linkSpeed: 1e9 }, { linkSpeed: 4_294_967_300 }], streams })).toBe(54e6);
    expect(slowestLink({ parties: [{ linkSpeed: 0 }, {}], streams: [] })).toBeUndefined();
  });
});
