import { markOf } from './hide-words.js';
import { isCallId, isMachineId, isMark } from './shapes.js';
import type { UserToken } from './user-token.js';

const AT = /@|%40/i;
/** Of so many digits a number may be an extension or a telephone number. */
const PHONE_DIGITS = 15;

/**
 * The id of a call, or of what calls are linked by. Where it has the form of an address, the part before the host has to be one that
 * a machine has made up: many programs write the user or the number that calls there.
 */
export function hideCallId(text: string, token: UserToken): string {
  return isShownCallId(text) ? text : markOf(exact(text), token);
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

/** Tokens are the same for all spellings of a user; two ids have to stay two, but for upper and lower case. */
function exact(id: string): string {
  return `id${Buffer.from(id.toLowerCase()).toString('hex')}`;
}
