import { hideUnknownWords, type ShownWords } from './hide-unknown-words.js';
import type { UserToken } from './user-token.js';

/** The characters that can precede an address. */
const WORD_END = /[\s<>"]/;
/** The characters between a label and an address without a scheme: `from=alice@host`, `cname:alice@host`. */
const NAME_END = /[=:;,('/[{|]/;
export const SCHEMES = 'sips?|im|pres|xmpp|mailto|skype|h323';
const SCHEME = new RegExp(String.raw`^.*\b(?:${SCHEMES})(?::|%3a)`, 'is');
const HOST_BEGIN = /^(?:[\p{L}\p{N}[]|%5b)/iu;

const TEL = /\b(tel(?::|%3a))((?:\+|%2b)?[\d().-]+(?:;ext=\d+)?)/gi;
/** A number with its plus is recognised in any text, also in groups; without it, a number could be anything. */
const E164 = /(?<![\w+])(?:\+|%2b)(?:\d[\d().-]{5,}\d|\d(?:(?: (?=\(\d|\d{2}))?[\d().-]){5,}\d)/gi;
const QUOTED_NAME = new RegExp(String.raw`"([^"\n]+)"(?=\s*<(?:${SCHEMES}|tel):)`, 'gi');
const PLAIN_NAME = new RegExp(String.raw`(^|[,;:=\n])([^"<>,;:=\n]+)(?=<(?:${SCHEMES}|tel):)`, 'gi');

/** Free text: addresses with tokens, known words, and marks for all others. */
export function hideText(text: string, shown: ShownWords, token: UserToken): string {
  return hideUnknownWords(hideInText(text, token), shown, token);
}

/**
 * Free text with the user part of every address replaced: `sip:alice@host` becomes `sip:<token>@host`, also without
 * scheme, with percent signs, in angle brackets; telephone numbers; and the display name before an address.
 * Hosts and IP addresses are shown. Takes time linear in the text.
 */
export function hideInText(text: string, token: UserToken): string {
  if (!/@|%40|tel|\+|%2b/i.test(text)) return text;
  const unnamed = text
    .replaceAll(QUOTED_NAME, (_all, name: string) => `"${token(name)}"`)
    .replaceAll(PLAIN_NAME, (all, before: string, name: string) => {
      return name.trim() === '' ? all : `${before} ${token(name)} `;
    });
  const unnumbered = unnamed.replaceAll(TEL, (_all, scheme: string, number: string) => scheme + token(number));
  return hideUsers(unnumbered, token).replaceAll(E164, (number) => token(number.replaceAll(' ', '')));
}

/** Hides the users: the text before each `@` that a host follows. */
function hideUsers(text: string, token: UserToken): string {
  const pieces = text.split(/(@|%40)/i);
  for (let at = 1; at < pieces.length; at += 2) {
    const before = pieces[at - 1] ?? '';
    const user = HOST_BEGIN.test(pieces[at + 1] ?? '') ? before.slice(userStart(before)) : '';
    if (user !== '') pieces[at - 1] = before.slice(0, before.length - user.length) + token(user);
  }
  return pieces.join('');
}

function userStart(before: string): number {
  const word = lastIndexOf(before, WORD_END) + 1;
  const scheme = SCHEME.exec(before.slice(word));
  if (scheme) return word + scheme[0].length;
  return word + lastIndexOf(before.slice(word), NAME_END) + 1;
}

function lastIndexOf(text: string, pattern: RegExp): number {
  let at = text.length - 1;
  while (at >= 0 && !pattern.test(text.charAt(at))) at--;
  return at;
}
