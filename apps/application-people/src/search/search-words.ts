import { normalize } from '@ringdown/linear-text';

/** Letters with a replacement that Unicode decomposition does not produce. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};
/** How people type letters with two dots or a ring when their keyboard does not have them. */
const TYPED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
/** Letters of scripts that write words without spaces: a name is then also found by its later part. */
const UNSPACED = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{M}ー]+$/u;
const PLAIN_ASCII = /^[ -~]*$/;
const DIGIT = /\p{Nd}/u;

/** The words of a text in the form for comparison: without case, without accents, in the plain form of each letter. */
export function searchWords(text: string): string[] {
  return plain(text).match(WORD) ?? [];
}

/**
 * The words under which a name is found: its words, and other ways to write them: `O'Brien` as `OBrien`, `Müller` as
 * `Mueller`, the later part of a name in a script without spaces.
 */
export function nameWords(name: string): string[] {
  const words = searchWords(name);
  if (PLAIN_ASCII.test(name)) return /[A-Za-z]['-][A-Za-z]/.test(name) ? [...words, ...joined(name)] : words;
  const typed = normalize(name, 'NFC')
    .toLowerCase()
    .replaceAll(/[äöüåø]/g, (letter) => TYPED[letter] ?? letter);
  return [...words, ...joined(name), ...searchWords(typed), ...words.flatMap((word) => laterParts(word))];
}

/** A text in the form for comparison. */
export function plain(text: string): string {
  // This fast path is enough for most names and all addresses, and a directory has many.
  if (PLAIN_ASCII.test(text)) return text.toLowerCase();
  const unmarked = normalize(text.toWellFormed(), 'NFKD')
    .toLowerCase()
    // Removes marks above and below letters, and the vowel marks of Hebrew and Arabic, which are seldom typed. The
    // marks of Indic scripts and of kana make another letter and are kept.
    .replaceAll(/[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]/g, '');
  return normalize(unmarked, 'NFC')
    .replaceAll(/[ßæœøđðłþıς]/g, (letter) => SPELLED[letter] ?? letter)
    .replaceAll(/(?![0-9])\p{Nd}/gu, (digit) => asciiDigit(digit));
}

function joined(name: string): string[] {
  return searchWords(name.replaceAll(/['\u2019\u02bc\u2010-]/g, ''));
}

function laterParts(word: string): string[] {
  if (!UNSPACED.test(word)) return [];
  const letters = Array.from(word);
  return letters.slice(1).map((_letter, at) => letters.slice(at + 1).join(''));
}

/** The digits of every script are ten consecutive code points. */
function asciiDigit(digit: string): string {
  let value = 0;
  const code = digit.codePointAt(0) ?? 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}
