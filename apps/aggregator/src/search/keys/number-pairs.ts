import { searchKey, type SearchKind } from './search-keys.js';

/** Longer numbers are rare enough to be found by their digits. */
const LONGEST_NUMBER = 3;
/** More than any real call has; an invented call must not fill the index. */
const PAIRS_LIMIT = 256;
/** In place of the pairs of a call with more: it may have any. */
const TOO_MANY = 'many';

export type NumbersKind = Extract<SearchKind, 'numbers' | 'hiddenNumbers'>;

/** The keys of a call by the pairs of neighbouring numbers in its texts. */
export function numberPairKeys(kind: NumbersKind, text: string): readonly string[] {
  const pairs = numberPairs(text);
  if (pairs.size > PAIRS_LIMIT) return [searchKey(kind, TOO_MANY)];
  return [...pairs].map((pair) => searchKey(kind, pair));
}

/**
 * By what a part of an address is found: one list of keys for each pair of numbers in the word. A call whose texts have the word
 * has at least one key of each list. Empty for a word with letters, which are more rarely in the same order in other calls.
 */
export function numberPairSearch(kinds: readonly NumbersKind[], word: string): readonly (readonly string[])[] {
  if (/\p{Letter}/u.test(word)) return [];
  return [...wholeNumberPairs(word)].map((pair) =>
    kinds.flatMap((kind) => [searchKey(kind, pair), searchKey(kind, TOO_MANY)]),
  );
}

/** Each pair once: `10.4`, `4.168` and `168.12` of `10.4.168.12`. */
function numberPairs(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  // Only a full stop with digits on both sides joins two numbers: a text has few, and many other characters.
  for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', dot + 1)) {
    const first = digitsBefore(text, dot);
    const second = digitsAfter(text, dot);
    if (isShortNumber(first) && isShortNumber(second)) pairs.add(text.slice(dot - first, dot + 1 + second));
  }
  return pairs;
}

/** How many digits end there; at most one more than those of a short number. */
function digitsBefore(text: string, end: number): number {
  let count = 0;
  while (count <= LONGEST_NUMBER && isDigit(text.charCodeAt(end - 1 - count))) count++;
  return count;
}

function digitsAfter(text: string, dot: number): number {
  let count = 0;
  while (count <= LONGEST_NUMBER && isDigit(text.charCodeAt(dot + 1 + count))) count++;
  return count;
}

const [ZERO, NINE] = [48, 57];

/** Of ASCII, and false for NaN, which is before the first character and behind the last one. */
function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** The pairs that every text with the word has. At the ends of the word, a number may be a part of the number in the text. */
function wholeNumberPairs(word: string): ReadonlySet<string> {
  return numberPairs(word.slice(word.search(/\D/), word.search(/\D\d*$/) + 1));
}

function isShortNumber(digits: number): boolean {
  return digits > 0 && digits <= LONGEST_NUMBER;
}
