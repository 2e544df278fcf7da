import { hideText } from './hide-text.js';
import { hideUnknownWords, hiddenMark, type ShownWords } from './hide-unknown-words.js';
import { CODE_KEYS, DIAGNOSTICS_KEYS, HOST_KEYS } from './known-names.js';
import { PHRASE_WORDS, PRODUCT_WORDS } from './known-words.js';
import { isHost } from './shapes.js';
import type { UserToken } from './user-token.js';

/** Keys of `key="value"` whose value is a person, as the known senders name them. */
const NAMES_USER =
  /^(?:from|to|name|dn|calling|called|originator|initiator|target.*)$|user|caller|callee|party|participant|organi[sz]er|owner|identity|account|displayname|phone|number/i;
/** Exceptions: a user agent is a program, and numbers of many other things. */
const NAMES_NO_USER = /agent|sequence|count|class|type|code|error|port|version|call-?id/i;
const PHRASE: ShownWords = { known: PHRASE_WORDS, numbers: 'none' };
const CODES: ShownWords = { known: PHRASE_WORDS, numbers: 'all' };
const PRODUCT: ShownWords = { known: PRODUCT_WORDS, numbers: 'versions' };
const HEX = /^0x[\da-f]{1,16}$/i;
const CODE = /^\s*\d{1,9}\s*$/;
/** One piece up to the next semicolon outside of quotes; an unclosed quote ends with the text. */
const PIECE = /(?:"(?:[^"\\]|\\.)*"?|[^";])+|;/gs;
const PAIR = /^(\s*)([^\s=";]+)(\s*=\s*)(.*)$/s;

/** Diagnostics text, `code; key="value"; ...`. */
export function hideInDiagnostics(text: string, token: UserToken): string {
  return text.replaceAll(PIECE, (piece) => (piece === ';' || CODE.test(piece) ? piece : hidePair(piece, token)));
}

function hidePair(piece: string, token: UserToken): string {
  const [, space = '', key = '', equals = '', value = ''] = PAIR.exec(piece) ?? [];
  if (key === '') return hideText(piece, PHRASE, token);
  const [, quoted, rest = ''] = /^"((?:[^"\\]|\\.)*)"(.*)$/s.exec(value) ?? [];
  const shown =
    quoted === undefined
      ? hideValue(key, value.trimEnd(), token)
      : `"${hideValue(key, quoted, token)}"${hideText(rest, PHRASE, token)}`;
  // An unknown key may itself contain a name.
  return space + (isKnownKey(key) ? key : hiddenMark(key, token)) + equals + shown;
}

export function isKnownKey(key: string): boolean {
  return DIAGNOSTICS_KEYS.has(key.toLowerCase());
}

/** Hides the value of one key of a diagnostics text. */
export function hideValue(key: string, value: string, token: UserToken): string {
  if (isBareUser(key, value)) return bareToken(value, token);
  const lower = key.toLowerCase();
  // A single word may be a name.
  if (HOST_KEYS.has(lower) && /[.\d]/.test(value) && isHost(value)) return value;
  if (CODE_KEYS.has(lower)) return HEX.test(value) ? value : hideText(value, CODES, token);
  return lower === 'useragent' ? hideUnknownWords(value, PRODUCT, token) : hideText(value, PHRASE, token);
}

/** A user name without anything around it that marks it as one. */
function isBareUser(key: string, value: string): boolean {
  const isName = NAMES_USER.test(key) && !NAMES_NO_USER.test(key);
  return isName && value.trim() !== '' && !/@|%40|\btel:/i.test(value);
}

function bareToken(value: string, token: UserToken): string {
  return token(value.trim().replace(/^sips?:/i, ''));
}
