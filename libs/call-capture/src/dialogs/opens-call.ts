import type { SipMessage } from '../sip/sip-message.js';

/** An INVITE; or, of a call whose beginning was not captured, a request within it or the response that answered it. */
export function opensCall({ method, response, from, to }: SipMessage): boolean {
  const isWithin = to.tag !== undefined && from.tag !== undefined;
  if (response) return method === 'INVITE' && isWithin && response.status >= 200 && response.status < 300;
  return method === 'INVITE' ? to.tag === undefined || isWithin : method === 'BYE' && isWithin;
}
