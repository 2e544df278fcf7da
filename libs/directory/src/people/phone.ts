import { normalize } from '@ringdown/linear-text';

const DIGITS_MIN = 2;
/** E.164 numbers have at most 15 digits; numbers that are dialled with prefixes are longer. */
const DIGITS_MAX = 20;
/** `x 12`, `ext. 12`, `;ext=12` after a number. */
const EXTENSION = /(?:;\s*ext\s*=|\bextension|\bext[.:]?|x)\s*(\d{1,8})\s*$/i;

/**
 * Converts a handwritten telephone number of a directory to the form of `Person.phones`: `+` and digits, or only digits
 * when it has no country code. Undefined for a text that is not a number.
 */
export function parsePhone(written: string): string | undefined {
  const text = normalize(written, 'NFKC').trim().replace(/^tel:/i, '');
  const extension = EXTENSION.exec(text);
  const number = extension === null ? text : text.slice(0, extension.index);
  // The trunk zero of `+49 (0)30 …` is not dialled after a country code.
  const international = /^\s*(\+|00)/.test(number);
  const digits = (international ? number.replace(/\(\s*0\s*\)/, '').replace(/^\s*00/, '') : number).replaceAll(
    /\D/g,
    '',
  );
  if (/[^\d\s()+.,/\-\u2010-\u2015]/.test(number) || digits.length < DIGITS_MIN || digits.length > DIGITS_MAX)
    return undefined;
  return `${international ? '+' : ''}${digits}${extension === null ? '' : `;ext=${extension[1]}`}`;
}
