/** What a datagram at a media port contains. `other` includes TURN channels and ZRTP. */
export type DatagramKind = 'rtp' | 'rtcp' | 'stun' | 'dtls' | 'other';

const VERSION_BITS = 0x80;
const RTCP_TYPES = { first: 192, last: 223 } as const;
const SMALLEST_RTCP = 8;
const SMALLEST_RTP = 12;
const SMALLEST_STUN = 20;

/**
 * Media, its control, STUN and DTLS may share one port: the first byte distinguishes them (RFC 7983, 7), and the second
 * RTP from RTCP (RFC 5761, 4).
 */
export function kindOfDatagram(bytes: Uint8Array): DatagramKind {
  const [first = 0, second = 0] = bytes;
  if ((first & 0xc0) === VERSION_BITS) {
    if (second >= RTCP_TYPES.first && second <= RTCP_TYPES.last) {
      return bytes.length >= SMALLEST_RTCP ? 'rtcp' : 'other';
    }
    return bytes.length >= SMALLEST_RTP ? 'rtp' : 'other';
  }
  if (first <= 3) return bytes.length >= SMALLEST_STUN ? 'stun' : 'other';
  return first >= 20 && first <= 63 ? 'dtls' : 'other';
}
