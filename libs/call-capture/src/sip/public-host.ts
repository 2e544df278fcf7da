import type { SipMessage } from './sip-message.js';

/** Private addresses (RFC 1918, RFC 6598, RFC 4193): what a phone behind NAT writes into its session description. */
const PRIVATE =
  /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd][\da-f]{2}:)/i;
const RECEIVED = /;\s*received\s*=\s*\[?([\d.]{7,15}|[\da-f:.]{2,45})\]?\s*(?:[;,]|$)/i;
const VIA_LIMIT = 1_000;

export function isPrivate(ip: string): boolean {
  return PRIVATE.test(ip);
}

/**
 * Where the sender of a message appears to others. A request names it in the Via that its sender wrote, the last one (RFC 3261,
 * 18.2.1); before the first hop that writes it there, and in a response, it is the source of the packet.
 */
export function publicHost({ headers, response }: SipMessage, source: string | undefined): string | undefined {
  if (response) return source;
  const hops = headers.all('via').flatMap((line) => line.slice(0, VIA_LIMIT).split(','));
  const received = RECEIVED.exec(hops.at(-1) ?? '')?.[1];
  return received ?? (hops.length === 1 ? source : undefined);
}
