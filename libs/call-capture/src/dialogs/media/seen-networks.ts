import { isIP } from 'node:net';
import type { RtpStream } from '../../rtp/rtp-stream.js';

/** More pairs of networks send media past few capture points; the oldest is forgotten. */
const PAIRS_LIMIT = 1_000;
/** Of one pair: the newest ones are still being sent. */
const STREAMS_OF_PAIR = 4;
const SEPARATOR = ':';

/** From which network to which the capture has seen media of calls: it would also see those of a call that has none. */
export class SeenNetworks {
  private readonly newest = new Map<string, readonly RtpStream[]>();

  /** A stream that counts for a call. */
  add(stream: RtpStream): void {
    const pair = networkPair(stream.source.ip, stream.destination.ip);
    const before = this.newest.get(pair) ?? [];
    this.newest.delete(pair);
    this.newest.set(pair, [...before.slice(1 - STREAMS_OF_PAIR), stream]);
    if (this.newest.size <= PAIRS_LIMIT) return;
    const [oldest] = this.newest.keys();
    if (oldest !== undefined) this.newest.delete(oldest);
  }

  /**
   * Whether packets of media flowed from the network of one host to that of another after this time, milliseconds, as captured. Within
   * one network there are no directions, and a switch sends packets between two of its ports past the capture.
   */
  sawAfter(at: number, from: string, to: string): boolean {
    if (networkOf(from) === networkOf(to)) return false;
    return (this.newest.get(networkPair(from, to)) ?? []).some(({ lastAt }) => lastAt > at);
  }
}

function networkPair(from: string, to: string): string {
  return `${networkOf(from)} ${networkOf(to)}`;
}

/** The usual prefix lengths, because the real ones are not known: 24 bits, and 64 of IPv6 as RFC 5952 writes it. */
function networkOf(ip: string): string {
  if (isIP(ip) !== 6) return ip.slice(0, ip.lastIndexOf('.'));
  const [head = '', tail] = ip.split('::');
  const before = head === '' ? [] : head.split(SEPARATOR);
  const after = tail === undefined || tail === '' ? [] : tail.split(SEPARATOR);
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(SEPARATOR);
}
