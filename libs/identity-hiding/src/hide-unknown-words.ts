import { isIP } from 'node:net';
import { isToken } from './shapes.js';
import { STATUS_PHRASES } from './status-phrases.js';
import type { UserToken } from './user-token.js';

/**
 * Which numbers are shown: none, because they may be telephone numbers; those of versions; those as long as ports and
 * rates; all.
 */
export type Numbers = 'none' | 'versions' | 'short' | 'all';

export interface ShownWords {
  readonly known: ReadonlySet<string>;
  readonly numbers: Numbers;
}

/**
 * An escaped punctuation mark, an address of a machine, or a word: letters of any script, digits, and all characters
 * except ASCII punctuation.
 */
const PIECE =
  /%(?:40|3a|3b|3f|2b|2c|2f|20)|\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|(?<![\w:])[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?![\w:])|[^\s!-&(-/:-@[-`{-~]+/gi;
const NUMBER = /^\d{1,39}$/;
const SHORT_NUMBER = /^\d{1,6}$/;
const VERSION = /^(?:v?\d{1,5}[a-z]?|\d{1,5}[gm]hz)$/i;
/**
 * The domain after the token of a user, the name of a server in its address, and the id of a conference in its URI,
 * which calls contain as well.
 */
const SHOWN =
  /(?<=[\dA-F]{16})(?:@|%40)(?:\[[\da-f:.]{2,45}\]|[\p{L}\p{N}_.-]{1,255})(?::\d{1,5})?|(?<=\bsips?:)(?:[\p{L}\p{N}_-]{1,63}\.){1,20}[\p{L}\p{N}_-]{1,63}(?::\d{1,5})?(?=[;>\s,]|$)|(?<=;opaque=app:conf:[a-z-]{1,32}:id:)[\w-]{1,64}/giu;
export const MARK = 'hidden';

/**
 * Replaces a hidden text: the same mark for the same text, so that marks can be compared, and another one with another
 * seed.
 */
export function hiddenMark(text: string, token: UserToken): string {
  return `${MARK}-${token(text)}`;
}

/**
 * The text in which every word is replaced that could be a name; several in a row by one mark. Takes time linear in the
 * text.
 */
export function hideUnknownWords(text: string, shown: ShownWords, token: UserToken): string {
  // A fast path for most texts.
  if (!/@|%40|sips?:|opaque/i.test(text)) return hideBetweenAddresses(text, shown, token);
  let result = '';
  let end = 0;
  for (const { 0: part, index } of text.matchAll(SHOWN)) {
    result += hideBetweenAddresses(text.slice(end, index), shown, token) + part;
    end = index + part.length;
  }
  return result + hideBetweenAddresses(text.slice(end), shown, token);
}

function hideBetweenAddresses(text: string, shown: ShownWords, token: UserToken): string {
  if (!/\d{3} /.test(text)) return hideBetweenStatusPhrases(text, shown, token);
  let result = '';
  let end = 0;
  for (const { 0: phrase, index } of text.matchAll(STATUS_PHRASES)) {
    result += hideBetweenStatusPhrases(text.slice(end, index), shown, token) + phrase;
    end = index + phrase.length;
  }
  return result + hideBetweenStatusPhrases(text.slice(end), shown, token);
}

function hideBetweenStatusPhrases(text: string, shown: ShownWords, token: UserToken): string {
  let result = '';
  /** The end of the part that is already in the result, and the start of the words that are hidden together. */
  let done = 0;
  let hiddenFrom = -1;
  let end = 0;
  const close = (): void => {
    if (hiddenFrom >= 0) result += hiddenMark(text.slice(hiddenFrom, end), token);
    if (hiddenFrom >= 0) done = end;
    hiddenFrom = -1;
  };
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const isShown = isKnown(piece, shown);
    if (isShown || text.slice(end, index) !== ' ') close();
    if (!isShown && hiddenFrom < 0) {
      result += text.slice(done, index);
      hiddenFrom = index;
    }
    end = index + piece.length;
  }
  close();
  return result + text.slice(done);
}

function isKnown(piece: string, { known, numbers }: ShownWords): boolean {
  // The token of a user, or the second part of a mark.
  if (piece.startsWith('%') || isToken(piece) || known.has(piece.toLowerCase())) return true;
  if (piece.includes('.') || piece.includes(':')) return isIP(piece) !== 0 || isIP(piece.replace(/:\d+$/, '')) === 4;
  if (numbers === 'all') return NUMBER.test(piece);
  if (numbers === 'short') return SHORT_NUMBER.test(piece);
  return numbers === 'versions' && VERSION.test(piece);
}
