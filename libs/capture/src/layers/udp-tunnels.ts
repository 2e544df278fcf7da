import { unread, type Layer, type LayerReader } from './layer.js';
import { readGeneve } from './geneve.js';
import { readGre } from './gre.js';
import { readGtpU } from './gtp-u.js';
import { readL2tp } from './l2tp.js';
import { readMpls } from './mpls.js';
import { readTzsp } from './tzsp.js';
import { readVxlan } from './vxlan.js';

const HEADER_LENGTH = 8;

/**
 * Tunnels by their port. Media use the same numbers at times, so a datagram that has not the header of its tunnel is read as
 * any other: no reader accepts the first byte of RTP.
 */
const BY_PORT: ReadonlyMap<number, LayerReader> = new Map<number, LayerReader>([
  [1_701, readL2tp],
  [2_152, readGtpU],
  [4_500, readNatTraversal],
  [4_754, readGreInUdp],
  [4_789, readVxlan],
  [4_790, readVxlan],
  [6_081, readGeneve],
  [6_635, readMplsInUdp],
  // Linux before VXLAN had a port of its own.
  [8_472, readVxlan],
  [37_008, readTzsp],
]);
const RTP_VERSION = 2;

/** The tunnel in a datagram with its header; undefined if it is none. */
export function tunnelInUdp(datagram: Buffer): Layer | undefined {
  if (datagram.length <= HEADER_LENGTH) return undefined;
  const payload = datagram.subarray(HEADER_LENGTH);
  const [from, to] = [datagram.readUInt16BE(0), datagram.readUInt16BE(2)];
  return BY_PORT.get(to)?.(payload) ?? BY_PORT.get(from)?.(payload);
}

function isLikeRtp(payload: Buffer): boolean {
  return (payload[0] ?? 0) >> 6 === RTP_VERSION;
}

function readGreInUdp(payload: Buffer): Layer | undefined {
  return isLikeRtp(payload) ? undefined : readGre(payload);
}

function readMplsInUdp(payload: Buffer): Layer | undefined {
  return isLikeRtp(payload) ? undefined : readMpls(payload);
}

/** ESP behind NAT (RFC 3948): keep-alives have one byte, and key exchange begins with four zeros. */
function readNatTraversal(payload: Buffer): Layer | undefined {
  const isEsp = payload.length > 8 && payload.readUInt32BE(0) !== 0 && !isLikeRtp(payload) && !isText(payload);
  return isEsp ? unread('IPsec (ESP)') : undefined;
}

/** SIP at this port. */
function isText(payload: Buffer): boolean {
  return payload.subarray(0, 4).every((byte) => byte >= 0x20 && byte < 0x7f);
}
