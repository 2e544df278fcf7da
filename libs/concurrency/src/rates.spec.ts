import { spendOne } from './rates.js';

describe('an allowance', () => {
  const rule = { most: 10, refillMs: 1_000 };

  it('is spent one by one, and refilled in proportion to the time', () => {
    expect(spendOne({ left: 1, at: 0 }, rule, 0)).toEqual({ left: 0, at: 0 });
    expect(spendOne({ left: 0, at: 0 }, rule, 99)).toBeUndefined();
    expect(spendOne({ left: 0, at: 0 }, rule, 150)).toEqual({ left: 0.5, at: 150 });
    expect(spendOne({ left: 0, at: 0 }, rule, 1_000_000)).toEqual({ left: 9, at: 1_000_000 });
  });

  it('neither grows nor shrinks when the clock is set back', () => {
    expect(spendOne({ left: 5, at: 1_000 }, rule, 0)).toEqual({ left: 4, at: 0 });
  });
});
