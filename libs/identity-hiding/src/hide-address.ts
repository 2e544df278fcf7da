import { isIP } from 'node:net';
import { hideInText, SCHEMES } from './hide-text.js';
import type { UserToken } from './user-token.js';

const SCHEME = new RegExp(String.raw`^(?:${SCHEMES}|tel)(?::|%3a)`, 'i');
const NAMED = new RegExp(String.raw`<(?:${SCHEMES}|tel)(?::|%3a)`, 'i');
/** The user ends at the first `@` with a whole host behind it: what somebody calls himself may hold further ones. */
const USER_AT_HOST = /^(.+?)((?:@|%40)(?:\[[^\]]*\]|[\p{L}\p{N}_.-]+)(?::\d+)?(?:(?:[;?>\s]|%3b|%3f).*)?)$/isu;
const NUMBER = /^([^;]+(?:;ext=[^;]*)?)(.*)$/is;
const HOST = /^(?:\[[^\]]*\]|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+)(?::\d+)?(?:[;?].*)?$/isu;
const WORD = /^(.[^;?]*)(.*)$/s;

/** An address taken apart; `user` is undefined where it names none, as that of a server does. */
export interface AddressParts {
  readonly before: string;
  readonly user: string | undefined;
  readonly after: string;
}

/** Takes a text that is one address, however malformed, apart; what has neither a scheme nor a host is a user. */
export function addressParts(text: string): AddressParts {
  const before = SCHEME.exec(text)?.[0] ?? '';
  const rest = text.slice(before.length);
  const isNumber = /^tel/i.test(before);
  const namesNobody = isNumber ? rest === '' : isIP(rest) !== 0 || (before !== '' && HOST.test(rest));
  const match = namesNobody
    ? null
    : ((isNumber ? null : USER_AT_HOST.exec(rest)) ?? (isNumber ? NUMBER : WORD).exec(rest));
  if (match === null) return { before, user: undefined, after: rest };
  const [, user = '', after = ''] = match;
  return { before, user, after };
}

/** The address with its user hidden: unlike in free text, everything in front of the host belongs to the user. */
export function hideAddress(text: string, token: UserToken): string {
  // With a display name it is more than an address.
  if (NAMED.test(text) && !SCHEME.test(text)) return hideInText(text, token);
  const { before, user, after } = addressParts(text);
  return before + (user === undefined ? '' : token(user)) + (user === undefined ? after : hideInText(after, token));
}
