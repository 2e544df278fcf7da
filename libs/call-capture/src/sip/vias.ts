import type { SipMessage } from './sip-message.js';

const VIA_LIMIT = 1_000;
const MOST_HOPS = 16;
/** No real system writes longer ones. */
const BRANCH_LIMIT = 256;

/**
 * The branches of the Via of a message, the newest first: the hops that a request has taken, and that a response still has to go (RFC 3261, 16.6
 * and 16.7). Bounded.
 */
export function viaBranches({ headers }: Pick<SipMessage, 'headers'>): readonly string[] {
  const vias = headers.all('via').flatMap((line) => line.slice(0, VIA_LIMIT).split(',', MOST_HOPS));
  return vias.slice(0, MOST_HOPS).map((via) => branchIn(via).slice(0, BRANCH_LIMIT));
}

/** Hops add parameters to a Via, but its branch stays. Without one, it is the hop itself. */
export function branchIn(via: string): string {
  return /;\s*branch\s*=\s*([^\s;]+)/i.exec(via)?.[1] ?? via.split(';', 1)[0]?.trim() ?? '';
}
