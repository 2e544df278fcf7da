import { parseLdapTime, movedBy } from './ldap-time.js';

describe('a time of a directory', () => {
  it.each([
    ['20260301000030Z', -60, '20260228235930.0Z'],
    ['20260301000130.0Z', -60, '20260301000030.0Z'],
    ['20261231235959Z', 1, '20270101000000.0Z'],
    ['20260301000130,123Z', 0, '20260301000130.0Z'],
  ])('%s moved by %d s is %s', (moment, seconds, before) => {
    expect(movedBy(moment, seconds)).toBe(before);
  });

  it.each(['', '2026', '20260301000130', '20260301000130+0100', '20260301000130Z)(uid=*'])('%j: invalid', (moment) => {
    expect(movedBy(moment, 1)).toBeUndefined();
  });

  it.each([
    ['20260301000130Z', Date.UTC(2026, 2, 1, 0, 1, 30)],
    ['20260301000130.123456Z', Date.UTC(2026, 2, 1, 0, 1, 30) + 123.456],
    ['134167968901234567', Date.UTC(2026, 2, 1, 0, 1, 30) + 123],
    ['0', undefined],
    ['', undefined],
    ['yesterday', undefined],
  ])('%s is %s in milliseconds', (moment, at) => {
    expect(parseLdapTime(moment)).toBe(at);
  });
});
