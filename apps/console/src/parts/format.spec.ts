import {
  decimalFormat,
  fixedFormat,
  formatShare,
  shownSipAddress,
  formatBandwidth,
  formatDuration,
  formatSeconds,
  formatSpan,
  formatTime,
  formatUtc,
  timeFormat,
} from './format.js';

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
    [0, '0\u00A0s'],
    [0.0042, '0.0042\u00A0s'],
    [0.82, '0.82\u00A0s'],
    [7.001, '7\u00A0s'],
    [59.4, '59\u00A0s'],
    [75, '1:15'],
  ])('shows the short time of %d seconds as %s', (seconds, shown) => {
    expect(formatSeconds(seconds)).toBe(shown);
  });

  it.each([
    [0, '0\u00A0s'],
    [6.43, '6.4\u00A0s'],
    [59.7, '1\u00A0min'],
    [138, '2\u00A0min 18\u00A0s'],
    [3_900, '1\u00A0h 5\u00A0min'],
    [183_600, '51\u00A0h'],
  ])('writes the span of %d seconds with its units as %s', (seconds, shown) => {
    expect(formatSpan(seconds)).toBe(shown);
  });

  it.each([
    [0, '0\u00A0bit/s'],
    [0.5, '0.5\u00A0bit/s'],
    [999, '999\u00A0bit/s'],
    [64_000, '64\u00A0kbit/s'],
    [1_260_000, '1.3\u00A0Mbit/s'],
    [317_000_000, '317\u00A0Mbit/s'],
    [2e12, '2\u00A0Tbit/s'],
    [5e15, '5000\u00A0Tbit/s'],
  ])('shows %d bit/s as %s', (bits, shown) => {
    expect(formatBandwidth(bits)).toBe(shown);
  });

  it.each([
    ['en-US', 0, '3:05:09 PM'],
    ['en-US', 40, 'Oct 12, 3:05:09 PM'],
    ['en-US', 400, 'Oct 17, 2025, 3:05:09 PM'],
    ['de', 0, '15:05:09'],
    ['de', 40, '12. Okt., 15:05:09'],
    ['de', 400, '17. Okt. 2025, 15:05:09'],
  ])('shows in %s a time of %d days ago as %s', (locale, days, shown) => {
    const then = new Date(2026, 10, 21 - days, 15, 5, 9).getTime();
    const now = new Date(2026, 10, 21, 18).getTime();
    expect(timeFormat(locale)(then, now).replaceAll('\u202f', ' ')).toBe(shown);
  });

  it.each([
    ['en', 0, '0'],
    ['en', -0, '0'],
    ['en', 0.000_004, '0.000004'],
    ['en', 12_345.6, '12345.6'],
    ['en', -3, '-3'],
    ['de', 12_345.6, '12345,6'],
    ['de', 0.1, '0,1'],
  ])('shows in %s the value %d as %s', (locale, value, shown) => {
    expect(decimalFormat(locale)(value)).toBe(shown);
  });

  it('shows a fixed number of decimals with the sign of the locale', () => {
    expect(fixedFormat('en')(4, 2)).toBe('4.00');
    expect([fixedFormat('de')(4.126, 2), fixedFormat('de')(4, 1)]).toEqual(['4,13', '4,0']);
  });

  it.each([
    [0, '0\u00A0%'],
    [0.125, '12.5\u00A0%'],
    [0.3333, '33.3\u00A0%'],
    [0.0346, '3.46\u00A0%'],
    [0.000_04, '0.004\u00A0%'],
    [1e-9, '< 0.001\u00A0%'],
    [1, '100\u00A0%'],
  ])('shows the share %d in percent as %s', (share, shown) => {
    expect(formatShare(share)).toBe(shown);
  });

  it('shows nothing for a time that is not a number', () => {
    expect(formatTime(Number.NaN)).toBe('');
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
    expect(shownSipAddress(uri)).toBe(shown);
  });
});
