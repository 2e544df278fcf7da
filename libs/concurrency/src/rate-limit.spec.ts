import { RateLimit } from './rate-limit.js';

describe('RateLimit', () => {
  it('rejects events above the limit, until the end of the window that began with the first', () => {
    let now = 1_000;
    const rate = new RateLimit({ limit: 2, windowMs: 60_000, now: () => now });
    expect([rate.add('a'), rate.add('a')]).toEqual([undefined, undefined]);
    now += 10_500;
    expect(rate.add('a')).toBe(50);
    expect(rate.add('b')).toBeUndefined();
    now += 49_499;
    expect(rate.add('a')).toBe(1);
    now += 1;
    expect([rate.add('a'), rate.add('a'), rate.add('a')]).toEqual([undefined, undefined, 60]);
  });

  it('tells without counting whether one more event would exceed the limit, and forgets a key', () => {
    const rate = new RateLimit({ limit: 1, windowMs: 60_000, now: () => 0 });
    expect([rate.check('a'), rate.check('a'), rate.add('a'), rate.check('a')]).toEqual([
      undefined,
      undefined,
      undefined,
      60,
    ]);
    expect([rate.has('a'), rate.has('b')]).toEqual([true, false]);
    rate.forget('a');
    expect(rate.check('a')).toBeUndefined();
  });

  it('uses limited memory, however many keys there are', () => {
    const rate = new RateLimit({ limit: 1, now: () => 0 });
    for (let i = 0; i < 50_001; i++) rate.add(`address ${i}`);
    expect(rate.add('address 0')).toBeUndefined();
    expect(rate.add('address 50000')).toBe(60);
  });
});
