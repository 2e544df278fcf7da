import { SlotsPerUser, RequestRate } from './user-limits.js';

describe('limits per user', () => {
  it('grant a slot to each user, and grant it again after its release', () => {
    const slots = new SlotsPerUser(2);
    const [first, second] = [slots.acquire('anna'), slots.acquire('anna')];
    expect([slots.acquire('anna'), typeof slots.acquire('ben')]).toEqual([undefined, 'function']);
    first?.();
    first?.();
    expect([typeof slots.acquire('anna'), slots.acquire('anna')]).toEqual(['function', undefined]);
    second?.();
    expect(slots.acquire('anna')).toBeDefined();
  });

  it('count requests by user and minute, and return when the next minute begins', () => {
    let now = 1_000;
    const rate = new RequestRate(2, () => now);
    expect([rate.add('anna'), rate.add('anna'), rate.add('ben')]).toEqual([undefined, undefined, undefined]);
    now += 20_500;
    expect(rate.add('anna')).toBe(40);
    now += 39_500;
    expect(rate.add('anna')).toBeUndefined();
  });
});
