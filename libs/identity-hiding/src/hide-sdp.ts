import { hideInText } from './hide-text.js';
import type { UserToken } from './user-token.js';

const ORIGIN = /^o=(\S+)/;
const PHONE = /^p=(.+)/;
/** About the session in words, and whom to write to. */
const INFORMATION = /^([ie])=(.+)/;
const SESSION_NAME = /^s=(.+)/;
/** The name of a sender of media; some make it of the user, without a host. */
const SOURCE_NAME = /^(a=(?:ssrc:\d+ )?cname:)([^\s@]+)$/;
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
  const [, kind, words] = INFORMATION.exec(line) ?? [];
  if (kind !== undefined && words !== undefined) return `${kind}=${token(words)}`;
  const [, attribute, source] = SOURCE_NAME.exec(line) ?? [];
  if (attribute !== undefined && source !== undefined) return attribute + token(source);
  const name = SESSION_NAME.exec(line)?.[1];
  if (name !== undefined && !NO_NAME.test(name)) return `s=${token(name)}`;
  return hideInText(line, token);
}
