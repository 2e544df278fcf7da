import type { SipMessage } from '../sip/sip-message.js';

/** Status of requests within a call, or of a try that another one follows. */
const OF_NO_NEW_CALL: ReadonlySet<number> = new Set([401, 407, 422, 481, 488, 491]);

/**
 * An INVITE; or, of a call whose beginning was not captured, a request within it or a response: to its INVITE, which shows that it rings,
 * was answered or rejected, or to its BYE.
 */
export function opensCall({ method, response, from, to }: SipMessage): boolean {
  const isWithin = to.tag !== undefined && from.tag !== undefined;
  if (response) return opensAsResponse(method, response.status, isWithin, to.tag !== undefined);
  if (method === 'BYE') return to.tag !== undefined || from.tag !== undefined;
  return method === 'INVITE' && (to.tag === undefined || isWithin);
}

function opensAsResponse(method: string, status: number, isWithin: boolean, hasTag: boolean): boolean {
  if (method === 'BYE') return isWithin && status >= 200 && status !== 401 && status !== 407;
  if (method !== 'INVITE') return false;
  // A 100 to an INVITE within a call has its To tag.
  if (status === 100) return !hasTag;
  if (status >= 200 && status < 300) return isWithin;
  return status < 200 || (status >= 400 && !OF_NO_NEW_CALL.has(status));
}

/** An INVITE of a call that does not exist so far. */
export function isInvitation({ method, response, to }: SipMessage): boolean {
  return method === 'INVITE' && response === undefined && to.tag === undefined;
}

/** A request within a call, or the answer to its INVITE: the call exists. */
export function isWithinCall({ method, response, to }: SipMessage): boolean {
  if (method !== 'INVITE' || to.tag === undefined) return false;
  return response === undefined || (response.status >= 200 && response.status < 300);
}

export function isRinging({ response }: SipMessage): boolean {
  return response !== undefined && response.status > 100 && response.status < 200;
}
