import { isIPv4 } from 'node:net';
import { foldText } from './search-text.js';

/** Shorter words are in nearly every call, and no index finds them. */
export const SHORTEST_WORD = 3;
export const MAX_WORDS = 8;
/** Words are found by the letters and digits in them: the index has nothing of the others. */
const INDEXED = /[\p{Letter}\p{Number}]/u;
const CONTROL = /\p{Control}/u;
const TELEPHONE = /^[+\d ()/.-]{1,40}$/;

/**
 * The words of a search, each of which must be part of a text of the call. A telephone number may be written with spaces
 * and parentheses: it is one word of its digits, as are numbers of which none is an IP address. Undefined if there are too many
 * words, or too short ones, or one without letters and digits.
 */
export function searchWords(text: string): readonly string[] | undefined {
  if (CONTROL.test(text)) return undefined;
  const folded = foldText(text).trim();
  const words = new Set(folded.split(' ').filter((word) => word !== ''));
  const isOnlyNumber = folded.includes('+') || folded.includes('(') || !words.values().some((word) => isIPv4(word));
  const isTelephone = TELEPHONE.test(folded) && /[ ()]/.test(folded) && isOnlyNumber;
  return onlyLongEnough(isTelephone ? [folded.replaceAll(/\D/g, '')] : [...words]);
}

function onlyLongEnough(words: readonly string[]): readonly string[] | undefined {
  const isSearchable = words.length > 0 && words.length <= MAX_WORDS;
  return isSearchable && words.every((word) => word.length >= SHORTEST_WORD && INDEXED.test(word)) ? words : undefined;
}

/**
 * The index of texts has letters in place of punctuation: an address is one word there, and not four numbers that are in many
 * calls. The usual separators have letters of their own, the others share the last one.
 */
export const PUNCTUATION = '.-@:_/!"#$%&\'()*+,;<=>?[\\]^`{|}~';
export const IN_PLACE_OF_PUNCTUATION = 'zxqjwy'.padEnd(PUNCTUATION.length, 'v');

/** The pattern of `like` that finds, in the form of the index, every text with the word, and few others. */
export function indexedWordPattern(word: string): string {
  const letters = Array.from(word, (each) => IN_PLACE_OF_PUNCTUATION[PUNCTUATION.indexOf(each)] ?? each);
  return `%${letters.join('')}%`;
}

/** The pattern of `like` that finds the word anywhere. */
export function wordPattern(word: string): string {
  return `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
