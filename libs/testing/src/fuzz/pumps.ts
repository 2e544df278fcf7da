import type { Dice } from './dice.js';

/**
 * Pieces that, repeated often, take more than linear time in backtracking expressions, sorting and repeated searching.
 */
const PUMPS: readonly string[] = [
  ['a', '1', '1a', 'a1', 'A', '_', 'é', 'ß', 'İ', '\u0315\u0316', '\u0344', 'x\u0301', 'ガ', '홍', '😀', '\ud800'],
  [' ', '\t', ' \t', '\r\n', '\n', '\r\n ', '\r\n\t', '\n\n', 'a ', ' a', '\u00a0', '\u2028'],
  ['@', '@[', '@a', 'a@', ':0@[', '[', ']', '[]', '(', ')', '()', '{', '[[', '<', '<<', '><', '<sip:', '<a>', '</'],
  ['"', '\\"', '\\', '"a', 'a="', "'", '""', '" "', '\\\\"'],
  [';', ';a=', ';a="', ';a', 'a=1;', '=', 'a=', '=;', ',', ',,', 'a,', ';tag=', ';branch=', '; branch', ';q=0.'],
  ['%', '%2', '%4', '%40', 'a%40', '%%', '%u', '%00', '+', '+1 (', '1-', '-', '--', '0', '00', '0 ', '9e', '1.', '.'],
  [
    '..',
    'a.',
    '.a',
    ':',
    '::',
    '0:',
    '1:',
    'a:',
    '://',
    '/',
    '//',
    '../',
    '?',
    '?a',
    '&',
    '&a',
    '&amp;',
    '#',
    '*',
    '!',
  ],
  ['sip:', 'sip:a@', 'tel:+', 'user=', 'cname:', 'a=x:', 'o=1', 'm=audio ', 'a=rtpmap:1 ', 'c=IN IP4 ', 'reason="'],
  [
    'data:,',
    'charset=',
    '{"a":',
    '[[',
    '"a",',
    '<property name="a">',
    '<!--',
    ']]>',
    '<![CDATA[',
    'T',
    '1T',
    'P1',
    'Z',
  ],
].flat();
const BEGINNINGS = ['', '', 'a', 'sip:a', '1;user=', '<', '"', '+1', 'a@', ' ', '1;reason="', 'data:text/plain,', '{'];
const ENDS = ['', '', 'x', '!', '@', '"', '>', ']', '\n', '1', '\u0301', ' ', ';', '%'];
const CLOSED: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['<', '>'],
  ['<a>', '</a>'],
  ['[[', ']]'],
  ['{"a":', '}'],
]);

/** One piece repeated, at most `most` characters, often with another before or after it. */
export function pumpString(dice: Dice, most: number): string {
  const length = pumpLength(dice, most);
  const [pump, other] = [dice.of(PUMPS), dice.of(PUMPS)];
  const closed = CLOSED.get(pump);
  const kind = dice.below(10);
  const half = Math.ceil(length / 2);
  const middle =
    closed !== undefined && kind < 6
      ? repeated(pump, half) + repeated(closed, half)
      : kind < 7
        ? repeated(pump, length)
        : kind < 9
          ? repeated(pump, half) + repeated(other, half)
          : repeated(pump + other, length);
  return `${dice.of(BEGINNINGS)}${middle}`.slice(0, Math.max(1, most - 1)) + dice.of(ENDS);
}

/** Most lengths are short, so that many inputs can be tried; few are long, and some exactly the maximum. */
export function pumpLength(dice: Dice, most: number): number {
  const kind = dice.below(1_000);
  if (kind < 800) return 1 + dice.below(Math.min(most, 64));
  if (kind < 950) return 1 + dice.below(Math.min(most, 1_024));
  if (kind < 988) return 1 + dice.below(Math.min(most, 8_192));
  if (kind < 998) return 1 + dice.below(Math.min(most, 65_536));
  return kind === 998 ? 1 + dice.below(most) : most;
}

function repeated(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length));
}
