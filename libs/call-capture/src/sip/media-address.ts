import { isIPv4, isIPv6 } from 'node:net';
import type { MediaAddress } from './offered-medium.js';

/** The port of a medium whose place is not known yet (RFC 4145, 4.1; RFC 8840, 4.1.1), and of candidates that only connect (RFC 6544, 4.5). */
const DISCARD = 9;
/** Addresses to which nothing can be sent. */
const UNSPECIFIED: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** As captured addresses are written; undefined if it is a name of a host, or something else. */
export function canonicalAddress(ip: string): string | undefined {
  // The check for IPv6 costs more than reading the line.
  if (!ip.includes(':')) return isIPv4(ip) ? ip : undefined;
  return isIPv6(ip) && !ip.includes('%') ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : undefined;
}

/** Whether nothing can be sent to an address as written: `0.0.0.0`, `::`, or a name below `.invalid` (RFC 6761, 6.4). */
export function isNowhere(written: string): boolean {
  return UNSPECIFIED.has(canonicalAddress(written) ?? '') || /\.invalid\.?$/i.test(written);
}

/** Undefined if it is not a port to which media can be sent. */
export function parseMediaPort(written: string | undefined): number | undefined {
  if (written === undefined || !/^\d{1,5}$/.test(written)) return undefined;
  const port = Number(written);
  return port > 0 && port <= 65_535 && port !== DISCARD ? port : undefined;
}

/** None if media cannot be sent there. */
export function mediaAddress(written: string, writtenPort: string | undefined): MediaAddress[] {
  const [ip, port] = [canonicalAddress(written), parseMediaPort(writtenPort)];
  return ip === undefined || port === undefined || isNowhere(ip) ? [] : [{ ip, port }];
}
