import { formatClock, formatDay, timeFormat } from '../format.js';
import {
  applyTimeZone,
  enteredTime,
  dateTimeInputValue,
  storedTimeZone,
  storeTimeZone,
  wallClock,
} from './time-zone.js';

const AT = Date.parse('2026-11-21T23:05:09.250Z');

describe('the time zone', () => {
  afterEach(() => applyTimeZone('local'));

  it('is kept in the storage of the browser, and local without an entry or with an unknown one', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    };
    expect(storedTimeZone(storage)).toBe('local');
    storeTimeZone(storage, 'UTC');
    expect(storedTimeZone(storage)).toBe('UTC');
    storeTimeZone(storage, 'local');
    expect(kept.size).toBe(0);
    expect(storedTimeZone({ getItem: () => 'Mars' })).toBe('local');
  });

  it('decides how times are shown', () => {
    applyTimeZone('UTC');
    expect(timeFormat('de')(AT, AT)).toBe('23:05:09');
    expect(timeFormat('de')(AT, AT + 7_200_000)).toBe('21. Nov., 23:05:09');
    expect(wallClock(AT).toISOString()).toBe('2026-11-21T23:05:09.250Z');
    expect([formatDay(AT), formatClock(AT)]).toEqual([
      new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(AT),
      new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(AT),
    ]);
    applyTimeZone('local');
    expect(wallClock(AT).getTime()).toBe(AT - new Date(AT).getTimezoneOffset() * 60_000);
  });

  it.each(['local', 'UTC'] as const)('reads an entered time in the zone %s as it is shown', (zone) => {
    applyTimeZone(zone);
    expect(enteredTime(dateTimeInputValue(AT))).toBe(Math.floor(AT / 1000) * 1000);
    expect([dateTimeInputValue(Number.NaN), enteredTime('')]).toEqual(['', Number.NaN]);
  });
});
