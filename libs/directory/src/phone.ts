import { normalize } from '@ringdown/linear-text';

const DIGITS_MIN = 2;
/** E.164 ends at 15; numbers that are dialled with codes in front are longer. */
const DIGITS_MAX = 20;
/** `x 12`, `ext. 12`, `;ext=12` behind a number. */
const EXTENSION = /(?:;\s*ext\s*=|\bextension|\bext[.:]?|x)\s*(\d{1,8})\s*$/i;

/**
 * A telephone number as directories hold it, written by hand, in the form of `Person.phones`: `+` and digits, or
 * digits alone when it says no country. Undefined for what is no number.
 */
export function parsePhone(written: string): string | undefined {
  const text = normalize(written, 'NFKC').trim().replace(/^tel:/i, '');
  const extension = EXTENSION.exec(text);
  const number = extension === null ? text : text.slice(0, extension.index);
  // The trunk zero of `+49 (0)30 …` is not dialled after a country.
  const international = /^\s*(\+|00)/.test(number);
  const digits = (international ? number.replace(/\(\s*0\s*\)/, '').replace(/^\s*00/, '') : number).replaceAll(
    /\D/g,
    '',
  );
  if (/[^\d\s()+.,/\-\u2010-\u2015]/.test(number) || digits.length < DIGITS_MIN || digits.length > DIGITS_MAX)
    return undefined;
  return `${international ? '+' : ''}${digits}${extension === null ? '' : `;ext=${extension[1]}`}`;
}
