import { canonicalName, hasUnseenCharacter, isAddress } from './address.js';
import { isMisleading } from './misleading.js';

const NAMES: Readonly<Record<string, string>> = {
  'a variation selector after a letter': 'Alice\uFE0F',
  'another variation selector after a letter': 'Al\u{E0100}ice',
  'a Mongolian variation selector after a Latin letter': 'Alice\u180B',
  'a variation selector of emoji after a Han character': '葛\uFE0F',
  'a variation selector of Han after an emoji': '❤\u{E0100}',
  'a variation selector of emoji after a digit': 'Team 1\uFE0F',
  'two variation selectors after a Han character': '葛\u{E0100}\u{E0101}',
  'a joiner of graphemes': 'Ali\u034Fce',
  'a filler of Hangul': 'Ali\u3164ce',
  'a blank pattern of Braille': 'Alice\u2800',
  'an annotation between lines': 'Ali\uFFF9ce',
  'a text that is read from right to left': 'Ali\u202Ece',
  'a space without width': 'Ali\u200Bce',
  'a tag': 'Alice\u{E0061}',
};

describe('a name that looks like another one', () => {
  it.each(Object.entries(NAMES))('has %s', (_what, name) => {
    expect(isMisleading(name)).toBe(true);
    const address = `${name}@example.test`;
    expect(!isAddress(address) || hasUnseenCharacter(address)).toBe(true);
  });

  it.each(['Alice ❤️', 'Team 1️⃣', '葛\u{E0100}城', 'ᠠ\u180B', 'José', 'O’Neill', 'Анна', '山田 太郎', 'Ali 😀'])(
    'is not %s',
    (name) => {
      expect(isMisleading(name)).toBe(false);
    },
  );

  it('is not one with other letters, which are those of an address of its own', () => {
    expect(isAddress('аlice@example.test')).toBe(true);
    expect(canonicalName('аlice@example.test')).not.toBe('alice@example.test');
    expect(canonicalName('ＡLICE@example.test')).toBe('alice@example.test');
  });
});

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
