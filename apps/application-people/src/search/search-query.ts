import { MIN_DIGITS } from './phone-index.js';
import { plain } from './search-words.js';

/** One term that a person must match: a word, or the words of a telephone number as it was typed. */
export interface Term {
  readonly words: readonly string[];
  /** The digits of a telephone number; empty for text that is not one. */
  readonly digits: string;
}

/** More than anyone types; each costs time. */
export const MAX_WORDS = 12;
/** Words and the separators between them: a number is typed in groups of digits. */
const PIECE = /([\p{L}\p{N}][\p{L}\p{M}\p{N}]*)([^\p{L}\p{N}]*)/gu;
/** Shorter numbers are internal extensions, dialled without a prefix. */
const OUTSIDE_DIGITS = 7;
const GROUP = /^\d+$/;
const BETWEEN_GROUPS = /^[\s().+/\-\u2010-\u2015]*$/;

/** The terms of a query. A query without letters and digits has none. */
export function readQuery(query: string): Term[] {
  const text = plain(query.replace(/^\s*(?:sips?|tel|mailto|smtp):/i, '').replaceAll(/\(\s*0\s*\)/g, ' '));
  const terms: Term[] = [];
  let groups: string[] = [];
  const finishNumber = (): void => {
    if (groups.length > 0) terms.push({ words: groups, digits: dialled(groups.join('')) });
    groups = [];
  };
  for (const [, word = '', between = ''] of [...text.matchAll(PIECE)].slice(0, MAX_WORDS)) {
    if (!GROUP.test(word)) {
      finishNumber();
      terms.push({ words: [word], digits: '' });
      continue;
    }
    groups.push(word);
    if (!BETWEEN_GROUPS.test(between)) finishNumber();
  }
  finishNumber();
  return withoutRepetition(terms);
}

/**
 * Digits without the prefix that is dialled before a number and not part of it: `00` before a country, `0` before a
 * city.
 */
function dialled(digits: string): string {
  if (digits.length < MIN_DIGITS) return '';
  return digits.length < OUTSIDE_DIGITS ? digits : digits.replace(/^00?/, '');
}

function withoutRepetition(terms: readonly Term[]): Term[] {
  const seen = new Map(terms.map((term) => [term.words.join(' '), term]));
  return [...seen.values()];
}
