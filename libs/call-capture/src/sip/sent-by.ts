import type { SipMessage } from './sip-message.js';

const VIA_LIMIT = 1_000;

/** Host and port that the sender of a request wrote into its Via, the last one: hops add theirs before it (RFC 3261, 8.2.6.2 and 18.1.1). */
export function viaOrigin({ headers }: SipMessage): string | undefined {
  const last = headers.all('via').at(-1)?.slice(0, VIA_LIMIT).split(',').at(-1);
  return /^\s*SIP\s*\/\s*2\.0\s*\/\s*[A-Z-]+\s+([^\s;,]+)/i.exec(last ?? '')?.[1]?.toLowerCase();
}
