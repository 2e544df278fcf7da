import { usualIntervalSeconds } from './usual-interval.js';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-03-02T10:00:00Z');
const history = { firstSeen: NOW - HOUR, lastSeen: NOW, records: 61, atThisTime: 0 };

describe('the usual interval of a feed', () => {
  it('is unknown with few records', () => {
    expect(usualIntervalSeconds({ ...history, records: 9 }, NOW)).toBeUndefined();
  });

  it('is the average so far on the first day, up to the last record', () => {
    expect(usualIntervalSeconds(history, NOW)).toBe(60);
    expect(usualIntervalSeconds(history, NOW + 5 * HOUR)).toBe(60);
  });

  it('is that of earlier days at this time of day later', () => {
    const old = { ...history, firstSeen: NOW - 50 * HOUR, records: 1_000_000 };
    expect(usualIntervalSeconds({ ...old, atThisTime: 1_440 }, NOW)).toBe(10);
    expect(usualIntervalSeconds({ ...old, firstSeen: 0, atThisTime: 432 }, NOW)).toBe(100);
  });

  it('is long at times of day without records', () => {
    expect(usualIntervalSeconds({ ...history, firstSeen: 0, records: 1_000_000 }, NOW)).toBe(43_200);
  });
});
