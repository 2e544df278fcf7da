import { parseTimeSpan } from './time-span.js';

describe('a time span', () => {
  it.each([
    ['00:05:00', 300_000],
    ['1.02:03:04', 93_784_000],
    ['00:00:01.5000000', 1_000],
    ['PT5M', 300_000],
    ['PT90S', 90_000],
    ['P1DT1H', 90_000_000],
  ])('of %s is %d milliseconds', (text, ms) => {
    expect(parseTimeSpan(text)).toBe(ms);
  });

  it.each(['', '5', '5:00', '00:60:00', 'P', 'PT', '-PT5M', 'PT5', '00:05:00x', `${'9'.repeat(9)}:00:00`])(
    'is not read from %p',
    (text) => {
      expect(parseTimeSpan(text)).toBeUndefined();
    },
  );
});
