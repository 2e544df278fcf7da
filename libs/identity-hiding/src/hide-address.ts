import { isIP } from 'node:net';
import { hideInText, hideText, SCHEMES } from './hide-text.js';
import { hideWords, type ShownWords } from './hide-words.js';
import { PHRASE_WORDS } from './known-words.js';
import { isHost } from './shapes.js';
import type { UserToken } from './user-token.js';

const SCHEME = new RegExp(String.raw`^(?:${SCHEMES}|tel)(?::|%3a)`, 'i');
const NAMED = new RegExp(String.raw`<(?:${SCHEMES}|tel)(?::|%3a)`, 'i');
const AT = /@|%40/gi;
/** A whole host, from its `@` on. Brackets hold an IPv6 address, so that each `@[` is read on for so many characters only. */
const HOST_BEHIND = /(?:@|%40)(?:\[[^\]]{0,64}\]|[\p{L}\p{N}_.-]+)(?::\d+)?(?=[;?>\s]|%3b|%3f|$)/iuy;
const NUMBER = /^[^;]+(?:;ext=[^;]*)?/i;
const HOST = /^(?:\[[^\]]{0,64}\]|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+)(?::\d+)?(?:[;?].*)?$/isu;
const WORD = /^.[^;?]*/s;

const PARAMETERS: ShownWords = { known: PHRASE_WORDS, numbers: 'none' };

/** An address taken apart: what stands before its user, and behind. */
export interface AddressParts {
  readonly before: string;
  readonly user: string;
  readonly after: string;
}

/**
 * Takes a text that is one address, however malformed, apart; what has neither a scheme nor a host is a user. Undefined where
 * it names nobody, as that of a server does.
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

/** The user ends at the first `@` with a whole host behind it: what somebody calls himself may hold further ones. */
function hostStart(rest: string): number | undefined {
  for (const { index } of rest.matchAll(AT)) {
    HOST_BEHIND.lastIndex = index;
    if (index > 0 && HOST_BEHIND.test(rest)) return index;
  }
  return undefined;
}

/** The address with its user hidden: unlike in free text, everything in front of the host belongs to the user. */
export function hideAddress(text: string, token: UserToken): string {
  // With a display name it is more than an address.
  if (NAMED.test(text) && !SCHEME.test(text)) return hideText(text, PARAMETERS, token);
  const parts = addressParts(text);
  if (parts === undefined) return hideServer(text, token);
  const { before, user, after } = parts;
  return hideWords(before + token(user) + hideInText(after, token), PARAMETERS, token);
}

/** The address of a server: what stands behind its name is not known to be one. */
function hideServer(text: string, token: UserToken): string {
  const before = SCHEME.exec(text)?.[0] ?? '';
  const host = /^[^;?]*/.exec(text.slice(before.length))?.[0] ?? '';
  const shown = host === '' || isHost(host) ? before + host : hideText(before + host, PARAMETERS, token);
  return shown + hideText(text.slice(before.length + host.length), PARAMETERS, token);
}
