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
  const [, user, after = ''] = (/^tel/i.test(before) ? NUMBER.exec(rest) : userIn(rest, before !== '')) ?? [];
  return user === undefined ? undefined : { before, user, after };
}

function userIn(rest: string, hasScheme: boolean): RegExpExecArray | null {
  if (isIP(rest) !== 0 || (hasScheme && HOST.test(rest))) return null;
  return USER_AT_HOST.exec(rest) ?? WORD.exec(rest);
}

/** The address with its user hidden: unlike in free text, everything in front of the host belongs to the user. */
export function hideAddress(text: string, token: UserToken): string {
  // With a display name it is more than an address.
  if (NAMED.test(text) && !SCHEME.test(text)) return hideInText(text, token);
  const parts = addressParts(text);
  return parts === undefined ? text : parts.before + token(parts.user) + hideInText(parts.after, token);
}
