import { isMisleading } from './index.js';

describe('a text that is shown as a name', () => {
  it.each(['Eve Evans', "Seán O'Brien-Müller", '王小明', 'محمد', 'אברהם', 'Nguyễn Thị Minh', '❤\uFE0F Eve'])(
    'may be %j',
    (name) => {
      expect(isMisleading(name)).toBe(false);
    },
  );

  it.each([
    '\u0000',
    '\n',
    '\u0085',
    '\u2028',
    '\u2029',
    '\u202E',
    '\u2066',
    '\u200E',
    '\u200F',
    '\u061C',
    '\u200B',
    '\u200C',
    '\u200D',
    '\u2060',
    '\u2064',
    '\uFEFF',
    '\u00AD',
    '\u034F',
    '\u115F',
    '\u3164',
    '\uFFA0',
    '\u180E',
    '\u{E0041}',
    '\uD800',
  ])('may not have %j', (character) => {
    expect(isMisleading(`Eve${character}Evans`)).toBe(true);
  });
});
