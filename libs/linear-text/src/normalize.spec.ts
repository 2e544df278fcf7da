import { normalize } from './index.js';

describe('normalize', () => {
  it.each(['NFC', 'NFD', 'NFKC', 'NFKD'] as const)(
    'gives the same result as the built-in function for real text in %s',
    (form) => {
      for (const text of [
        '',
        'alice',
        'Jürgen',
        'Ju\u0308rgen',
        'ﬁn',
        'Nguyễn',
        '한국',
        'हिन्दी',
        'שָׁלוֹם',
        `a${'\u0301'.repeat(30)}`,
      ]) {
        expect(normalize(text, form)).toBe(text.normalize(form));
      }
    },
  );

  it.each([
    ['alternating marks of two classes', `a${'\u0315\u0316'.repeat(100_000)}`],
    ['marks in the wrong order', `a${'\u0315'.repeat(100_000)}${'\u0316'.repeat(100_000)}`],
    ['marks that decompose', '\u0344'.repeat(200_000)],
    ['marks without a letter', '\u0316\u0315'.repeat(100_000)],
  ])('takes linear time for %s', (_what, text) => {
    const begun = process.cpuUsage();
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) normalize(text, form);
    // The built-in function takes more than ten seconds for each.
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(5_000);
  });
});
