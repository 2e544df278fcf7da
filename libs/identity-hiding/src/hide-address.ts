import { isIP } from 'node:net';
import { hideInText, hideText, SCHEMES } from './hide-text.js';
import { hideUnknownWords, type ShownWords } from './hide-unknown-words.js';
import { PHRASE_WORDS } from './known-words.js';
import { isHost } from './shapes.js';
import type { UserToken } from './user-token.js';

const SCHEME = new RegExp(String.raw`^(?:${SCHEMES}|tel)(?::|%3a)`, 'i');
const NAMED = new RegExp(String.raw`<(?:${SCHEMES}|tel)(?::|%3a)`, 'i');
const AT = /@|%40/gi;
/**
 * A whole host, from its `@` on. Brackets contain an IPv6 address, so after each `@[` only so many characters are read.
 */
const HOST_AFTER_AT = /(?:@|%40)(?:\[[^\]]{0,64}\]|[\p{L}\p{N}_.-]+)(?::\d+)?(?=[;?>\s]|%3b|%3f|$)/iuy;
const NUMBER = /^[^;]+(?:;ext=[^;]*)?/i;
const HOST = /^(?:\[[^\]]{0,64}\]|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+)(?::\d+)?(?:[;?].*)?$/isu;
const WORD = /^.[^;?]*/s;

const PARAMETERS: ShownWords = { known: PHRASE_WORDS, numbers: 'none' };

/** The parts of an address before and after its user. */
export interface AddressParts {
  readonly before: string;
  readonly user: string;
  readonly after: string;
}

/**
 * Splits a text that is one address, however malformed; a text without scheme and host is treated as a user. Undefined
 * if it contains no user, like the address of a server.
 */
export function addressParts(text: string): AddressParts | undefined {
  const before = SCHEME.exec(text)?.[0] ?? '';
  const rest = text.slice(before.length);
  const length = /^tel/i.test(before) ? NUMBER.exec(rest)?.[0].length : userLength(rest, before !== '');
  return length === undefined ? undefined : { before, user: rest.slice(0, length), after: rest.slice(length) };
}

function userLength(rest: string, hasScheme: boolean): number | undefined {
  if (isIP(rest) !== 0 || (hasScheme && HOST.test(rest))) return undefined;
  return hostStart(rest) ?? WORD.exec(rest)?.[0].length;
}

/** The user ends at the first `@` followed by a whole host: a user name may contain more of them. */
function hostStart(rest: string): number | undefined {
  for (const { index } of rest.matchAll(AT)) {
    HOST_AFTER_AT.lastIndex = index;
    if (index > 0 && HOST_AFTER_AT.test(rest)) return index;
  }
  return undefined;
}

/** The address with its user hidden: unlike in free text, everything before the host belongs to the user. */
export function hideAddress(text: string, token: UserToken): string {
  // With a display name it is more than an address.
  if (NAMED.test(text) && !SCHEME.test(text)) return hideText(text, PARAMETERS, token);
  const parts = addressParts(text);
  if (parts === undefined) return hideServer(text, token);
  const { before, user, after } = parts;
  return hideUnknownWords(before + token(user) + hideInText(after, token), PARAMETERS, token);
}

/** The address of a server: the text after its name is not known to be an address. */
function hideServer(text: string, token: UserToken): string {
  const before = SCHEME.exec(text)?.[0] ?? '';
  const host = /^[^;?]*/.exec(text.slice(before.length))?.[0] ?? '';
  const shown = host === '' || isHost(host) ? before + host : hideText(before + host, PARAMETERS, token);
  return shown + hideText(text.slice(before.length + host.length), PARAMETERS, token);
}
