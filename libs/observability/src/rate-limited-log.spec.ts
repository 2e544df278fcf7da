import { RateLimitedLog } from './rate-limited-log.js';

describe('RateLimitedLog', () => {
  it('logs at once, then once per period with the number of lines left out', () => {
    let now = 0;
    const line = new RateLimitedLog(1_000, () => now);
    const logged: number[] = [];
    for (now of [0, 10, 999, 1_000, 1_500, 5_000]) line.log((leftOut) => logged.push(leftOut));
    expect(logged).toEqual([0, 2, 1]);
  });
});
