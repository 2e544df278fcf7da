import { nameOf, shownBandwidth, shownDuration, shownTime, shownUtc } from './format.js';

describe('what is shown', () => {
  it.each([
    [0, '0:00'],
    [7.9, '0:07'],
    [750, '12:30'],
    [3723, '1:02:03'],
    [-5, '0:00'],
  ])('of a duration of %d seconds is %s', (seconds, shown) => {
    expect(shownDuration(seconds)).toBe(shown);
  });

  it.each([
    [0, '0 bit/s'],
    [0.5, '0.5 bit/s'],
    [999, '999 bit/s'],
    [64_000, '64 kbit/s'],
    [1_260_000, '1.3 Mbit/s'],
    [317_000_000, '317 Mbit/s'],
    [2e12, '2 Tbit/s'],
    [5e15, '5000 Tbit/s'],
  ])('of %d bits in a second is %s', (bits, shown) => {
    expect(shownBandwidth(bits)).toBe(shown);
  });

  it('of a time is the clock alone today, and the day as well otherwise', () => {
    const now = Date.parse('2026-11-21T12:00:00Z');
    expect(shownTime(now - 1000, now)).toHaveLength(8);
    expect(shownTime(now - 40 * 86_400_000, now).length).toBeGreaterThan(8);
    expect(shownTime(Number.NaN, now)).toBe('');
  });

  it('of a time in UTC is to the millisecond', () => {
    expect(shownUtc(Date.parse('2026-11-21T12:00:00.250Z'))).toBe('2026-11-21 12:00:00.250 UTC');
    expect(shownUtc(Number.NaN)).toBe('');
  });

  it.each([
    ['sip:anna@example.test;gruu;opaque=user:epid:1', 'anna@example.test'],
    ['SIPS:anna;phone-context=1@example.test;transport=tls', 'anna;phone-context=1@example.test'],
    ['tel:+14255550100;ext=7', 'tel:+14255550100'],
    // Right to left: it would be seen as olive.
    ['sip:o\u202Eevil\u202C@example.test', 'o\uFFFDevil\uFFFD@example.test'],
    ['sip:زينب@example.test', 'زينب@example.test'],
    [undefined, ''],
  ])('of the address %j is %j', (uri, shown) => {
    expect(nameOf(uri)).toBe(shown);
  });
});
