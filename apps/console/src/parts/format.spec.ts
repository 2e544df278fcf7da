import { nameOf, formatBandwidth, formatDuration, formatSeconds, formatTime, formatUtc } from './format.js';

describe('format', () => {
  it.each([
    [0, '0:00'],
    [7.9, '0:07'],
    [750, '12:30'],
    [3723, '1:02:03'],
    [-5, '0:00'],
  ])('shows %d seconds as %s', (seconds, shown) => {
    expect(formatDuration(seconds)).toBe(shown);
  });

  it.each([
    [0, '0 s'],
    [0.0042, '0.0042 s'],
    [0.82, '0.82 s'],
    [7.001, '7 s'],
    [59.4, '59 s'],
    [75, '1:15'],
  ])('shows the short time of %d seconds as %s', (seconds, shown) => {
    expect(formatSeconds(seconds)).toBe(shown);
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
  ])('shows %d bit/s as %s', (bits, shown) => {
    expect(formatBandwidth(bits)).toBe(shown);
  });

  it('shows only the time for today, and the day otherwise', () => {
    const now = Date.parse('2026-11-21T12:00:00Z');
    expect(formatTime(now - 1000, now)).toHaveLength(8);
    expect(formatTime(now - 40 * 86_400_000, now).length).toBeGreaterThan(8);
    expect(formatTime(Number.NaN, now)).toBe('');
  });

  it('shows milliseconds in UTC', () => {
    expect(formatUtc(Date.parse('2026-11-21T12:00:00.250Z'))).toBe('2026-11-21 12:00:00.250 UTC');
    expect(formatUtc(Number.NaN)).toBe('');
  });

  it.each([
    ['sip:anna@example.test;gruu;opaque=user:epid:1', 'anna@example.test'],
    ['SIPS:anna;phone-context=1@example.test;transport=tls', 'anna;phone-context=1@example.test'],
    ['tel:+14255550100;ext=7', 'tel:+14255550100'],
    // Right to left: it would be displayed as olive.
    ['sip:o\u202Eevil\u202C@example.test', 'o\uFFFDevil\uFFFD@example.test'],
    ['sip:زينب@example.test', 'زينب@example.test'],
    [undefined, ''],
  ])('shows the address %j as %j', (uri, shown) => {
    expect(nameOf(uri)).toBe(shown);
  });
});
