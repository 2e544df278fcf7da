import { UsualTime } from './usual-time.js';

describe('the usual time', () => {
  function of(...times: readonly number[]): number {
    const usual = new UsualTime();
    for (const ms of times) usual.record(ms);
    return usual.ms;
  }

  it('is 0 before the first measurement', () => {
    expect(of()).toBe(0);
  });

  it('is not changed by one long delay', () => {
    expect(of(2, 2, 900, 2, 2)).toBe(2);
  });

  it('adapts to a directory that has become slower', () => {
    expect(of(...Array<number>(100).fill(2), ...Array<number>(16).fill(7))).toBe(7);
  });
});
