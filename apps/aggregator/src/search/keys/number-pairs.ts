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
  for (const chain of text.split(/[^\d.]+/)) {
    const numbers = chain.split('.');
    for (const [n, second] of numbers.entries()) {
      const first = numbers[n - 1];
      if (isShortNumber(first) && isShortNumber(second)) pairs.add(`${first}.${second}`);
    }
  }
  return pairs;
}

/** The pairs that every text with the word has. At the ends of the word, a number may be a part of the number in the text. */
function wholeNumberPairs(word: string): ReadonlySet<string> {
  return numberPairs(word.slice(word.search(/\D/), word.search(/\D\d*$/) + 1));
}

function isShortNumber(text: string | undefined): text is string {
  return text !== undefined && text !== '' && text.length <= LONGEST_NUMBER;
}
