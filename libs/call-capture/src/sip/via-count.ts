import type { SipMessage } from './sip-message.js';

const VIA_LIMIT = 1_000;

/** How many hops a request has taken, with its sender; a response still has as many to go (RFC 3261, 16.6 and 16.7). */
export function viaCount({ headers }: Pick<SipMessage, 'headers'>): number {
  return headers.all('via').reduce((sum, line) => sum + line.slice(0, VIA_LIMIT).split(',').length, 0);
}
