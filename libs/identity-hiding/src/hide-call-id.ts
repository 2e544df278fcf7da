import { hiddenMark } from './hide-unknown-words.js';
import { isCallId, isMachineId, isMark } from './shapes.js';
import type { UserToken } from './user-token.js';

const AT = /@|%40/i;
/** A number of up to so many digits may be an extension or a telephone number. */
const PHONE_DIGITS = 15;

/**
 * The id of a call, or of what links calls. If it has the form of an address, the part before the host is only shown if
 * it is machine-made: many programs write the user or the number of the caller there.
 */
export function hideCallId(text: string, token: UserToken): string {
  return isShownCallId(text) ? text : hiddenMark(exact(text), token);
}

export function isShownCallId(text: string): boolean {
  if (isMark(text)) return true;
  if (!isCallId(text)) return false;
  const { index } = AT.exec(text) ?? {};
  if (index === undefined) return true;
  const local = text.slice(0, index);
  return isMachineId(local) && !isPhoneLike(local);
}

function isPhoneLike(text: string): boolean {
  return /^[+\d().-]*$/.test(text) && text.replaceAll(/\D/g, '').length <= PHONE_DIGITS;
}

/** Tokens are the same for all spellings of a user; two different ids must stay different, except for case. */
function exact(id: string): string {
  return `id${Buffer.from(id.toLowerCase()).toString('hex')}`;
}
