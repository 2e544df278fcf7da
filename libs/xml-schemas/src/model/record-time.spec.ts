import { epochMillis, utcTime } from './record-time.js';

describe('a time of a record', () => {
  it.each([
    ['2026-03-04T09:15:27.1234567Z', Date.UTC(2026, 2, 4, 9, 15, 27, 123)],
    ['2026-03-04T09:15:27Z', Date.UTC(2026, 2, 4, 9, 15, 27)],
    ['2026-03-04T09:15:27.5', Date.UTC(2026, 2, 4, 9, 15, 27, 500)],
    ['2026-03-04T09:15Z', Date.UTC(2026, 2, 4, 9, 15)],
    ['2026-03-04T09:15:27.1234567+01:30', Date.UTC(2026, 2, 4, 7, 45, 27, 123)],
    ['2026-03-04T23:15:27-02:00', Date.UTC(2026, 2, 5, 1, 15, 27)],
    [' 2024-02-29T00:00:00z ', Date.UTC(2024, 1, 29)],
  ])('%s is read to the millisecond', (text, millis) => {
    expect(epochMillis(text)).toBe(millis);
  });

  it.each(['', 'yesterday', '2026-03-04', '2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z', '2026-03-04T24:00:01Z'])(
    '"%s" is none',
    (text) => {
      expect(epochMillis(text)).toBeUndefined();
    },
  );

  it('that is absent remains absent', () => {
    expect(epochMillis(undefined)).toBeUndefined();
  });
});

describe('a time of a record in UTC', () => {
  it.each([
    ['2026-03-04T11:25:27.1234567+02:00', '2026-03-04T09:25:27.1234567Z'],
    ['2026-03-04T23:25:27.0-01:30', '2026-03-05T00:55:27.0Z'],
    ['2026-03-04T09:25:27', '2026-03-04T09:25:27Z'],
    ['2026-03-04T09:25:27.1Z', '2026-03-04T09:25:27.1Z'],
    ['yesterday', 'yesterday'],
    [undefined, undefined],
  ])('of %s is %s', (text, utc) => {
    expect(utcTime(text)).toBe(utc);
    expect(epochMillis(utc)).toBe(epochMillis(text));
  });
});
