import { hideInText } from './hide-text.js';
import type { UserToken } from './user-token.js';

/** Keys of `key="value"` whose value is a person, in the words of the known senders. */
const NAMES_USER =
  /^(?:.*(?:user|caller|callee|party|participant|organi[sz]er|owner|identity|account|displayname|phone|number).*|from|to|name)$/i;
/** A user agent is a program, and there are numbers of many things. */
const NAMES_NO_USER = /agent|sequence|count|class|type|code|error|port|version|call-?id/i;
const PAIR = /(?<![\w.-])([\w.-]+)(\s*=\s*)(?:"((?:[^"\\]|\\.)*)"|([^";]*))/g;

/** Diagnostics text, `code; key="value"; ...`: users in it that are written without a host are hidden, too. */
export function hideInDiagnostics(text: string, token: UserToken): string {
  const named = text.replaceAll(PAIR, (pair, key: string, equals: string, quoted?: string, plain?: string) => {
    const value = quoted ?? plain ?? '';
    if (!isBareUser(key, value)) return pair;
    return key + equals + (quoted === undefined ? bareToken(value, token) : `"${bareToken(value, token)}"`);
  });
  return hideInText(named, token);
}

/** The value of one key of it. */
export function hideValue(key: string, value: string, token: UserToken): string {
  return isBareUser(key, value) ? bareToken(value, token) : hideInText(value, token);
}

/** A name of somebody without anything around that tells it for one. */
function isBareUser(key: string, value: string): boolean {
  const isName = NAMES_USER.test(key) && !NAMES_NO_USER.test(key);
  return isName && value.trim() !== '' && !/@|%40|\btel:/i.test(value);
}

function bareToken(value: string, token: UserToken): string {
  return token(value.trim().replace(/^sips?:/i, ''));
}
