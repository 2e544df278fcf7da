import { PlacesOfUsers, RequestRate } from './user-limits.js';

describe('limits per user', () => {
  it('grant a place to each user, and grant it again after its release', () => {
    const places = new PlacesOfUsers(2);
    const [first, second] = [places.take('anna'), places.take('anna')];
    expect([places.take('anna'), typeof places.take('ben')]).toEqual([undefined, 'function']);
    first?.();
    first?.();
    expect([typeof places.take('anna'), places.take('anna')]).toEqual(['function', undefined]);
    second?.();
    expect(places.take('anna')).toBeDefined();
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
