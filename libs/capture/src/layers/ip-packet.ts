import { ipv4, ipv6 } from '../packet/ip-address.js';

const EXTENSION = { hopByHop: 0, routing: 43, fragment: 44, authentication: 51, destination: 60 } as const;
const MOST_EXTENSIONS = 8;
const AUTHENTICATION_LENGTH = 12;

/** The payload of an IP packet with its addresses (RFC 791, RFC 8200). */
export interface IpPacket {
  readonly source: string;
  readonly destination: string;
  readonly protocol: number;
  /** Differentiated services code point (RFC 2474). */
  readonly dscp: number;
  readonly payload: Buffer;
  /** How many bytes at the end of the payload were not captured. */
  readonly missing: number;
  readonly fragment?: Fragment;
}

/** The payload is a fragment of a longer one. */
export interface Fragment {
  readonly id: number;
  /** Where the fragment begins, bytes. */
  readonly offset: number;
  readonly isLast: boolean;
}

/** Undefined if the bytes are not an IP packet. The payload may be truncated by the capture. */
export function readIpPacket(bytes: Buffer): IpPacket | undefined {
  const version = (bytes[0] ?? 0) >> 4;
  if (version === 4) return readVersion4(bytes);
  return version === 6 ? readVersion6(bytes) : undefined;
}

function readVersion4(bytes: Buffer): IpPacket | undefined {
  const headerLength = ((bytes[0] ?? 0) & 0x0f) * 4;
  if (headerLength < 20 || bytes.length < headerLength) return undefined;
  // With segmentation offload the network card fills in the length later.
  const stated = bytes.readUInt16BE(2);
  const end = stated === 0 ? bytes.length : stated;
  if (end < headerLength) return undefined;
  const flags = bytes.readUInt16BE(6);
  const [offset, isLast] = [(flags & 0x1f_ff) * 8, (flags & 0x20_00) === 0];
  const isWhole = offset === 0 && isLast;
  const all = bytes.subarray(0, end);
  const upper = isWhole ? withoutAuthentication(all, bytes.readUInt8(9), headerLength) : undefined;
  const [protocol, at] = upper ?? [bytes.readUInt8(9), headerLength];
  return {
    source: ipv4(bytes.subarray(12, 16)),
    destination: ipv4(bytes.subarray(16, 20)),
    protocol,
    dscp: bytes.readUInt8(1) >> 2,
    payload: all.subarray(at),
    missing: end - all.length,
    ...(isWhole ? {} : { fragment: { id: bytes.readUInt16BE(4), offset, isLast } }),
  };
}

/** The protocol after the authentication header (RFC 4302), and where it begins. */
function withoutAuthentication(all: Buffer, protocol: number, at: number): [protocol: number, at: number] | undefined {
  if (protocol !== EXTENSION.authentication || all.length < at + AUTHENTICATION_LENGTH) return undefined;
  return [all.readUInt8(at), at + (all.readUInt8(at + 1) + 2) * 4];
}

function readVersion6(bytes: Buffer): IpPacket | undefined {
  if (bytes.length < 40) return undefined;
  const stated = bytes.readUInt16BE(4);
  const end = stated === 0 ? bytes.length : 40 + stated;
  const all = bytes.subarray(0, end);
  const addresses = { source: ipv6(bytes.subarray(8, 24)), destination: ipv6(bytes.subarray(24, 40)) };
  const dscp = (bytes.readUInt16BE(0) >> 6) & 0x3f;
  let [protocol, at] = [bytes.readUInt8(6), 40];
  let fragment: Fragment | undefined;
  for (let extensions = 0; isExtension(protocol); extensions++) {
    if (extensions === MOST_EXTENSIONS || all.length < at + 8) return undefined;
    if (protocol === EXTENSION.fragment) {
      const field = all.readUInt16BE(at + 2);
      fragment = { id: all.readUInt32BE(at + 4), offset: field & 0xff_f8, isLast: (field & 1) === 0 };
    }
    const length = lengthOfExtension(protocol, all.readUInt8(at + 1));
    [protocol, at] = [all.readUInt8(at), at + length];
    // The header of a later fragment is followed by the middle of the payload.
    if (fragment && fragment.offset > 0) break;
  }
  const packet = { ...addresses, protocol, dscp, payload: all.subarray(at), missing: end - all.length };
  return !fragment || (fragment.offset === 0 && fragment.isLast) ? packet : { ...packet, fragment };
}

function isExtension(protocol: number): boolean {
  return Object.values<number>(EXTENSION).includes(protocol);
}

function lengthOfExtension(protocol: number, field: number): number {
  if (protocol === EXTENSION.fragment) return 8;
  return protocol === EXTENSION.authentication ? (field + 2) * 4 : (field + 1) * 8;
}
