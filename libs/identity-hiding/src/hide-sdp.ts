import { hideInText } from './hide-text.js';
import type { UserToken } from './user-token.js';

const ORIGIN = /^o=(\S+)/;
const PHONE = /^p=(.+)/;
/**
 * About the session in words, whom to write to, and the name of a sender of media, which some make of the user without a
 * host.
 */
const INFORMATION = /^([ie]=|a=(?:ssrc:\d+ )?cname:(?=[^\s@]+$))(.+)/;
const SESSION_NAME = /^s=(.+)/;
/** What programs write where they have no name for the session. */
const NO_NAME = /^(?:-|\s*|session)$/i;

/** One SDP or a multipart text of several: user names, telephone numbers, mail addresses, and what else names somebody. */
export function hideInSdp(sdp: string, token: UserToken): string {
  return sdp
    .split(/(\r\n|\n|\r)/)
    .map((line) => hideInLine(line, token))
    .join('');
}

function hideInLine(line: string, token: UserToken): string {
  const user = ORIGIN.exec(line)?.[1];
  if (user !== undefined) {
    const isNobody = user === '-';
    return isNobody ? line : `o=${token(user.split('@')[0] ?? user)}${line.slice(2 + user.length)}`;
  }
  const phone = PHONE.exec(line)?.[1];
  if (phone !== undefined) return `p=${token(phone.replaceAll(/\s/g, ''))}`;
  const [, before, words] = INFORMATION.exec(line) ?? [];
  if (before !== undefined && words !== undefined) return before + token(words);
  const name = SESSION_NAME.exec(line)?.[1];
  if (name !== undefined && !NO_NAME.test(name)) return `s=${token(name)}`;
  return hideInText(line, token);
}
