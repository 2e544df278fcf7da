import type { CapturedPacket } from '../packet/captured-packet.js';
import { ipv4, ipv6 } from '../packet/ip-address.js';
import { isSip } from '../streams/sip-stream.js';
import { HepError } from './hep-error.js';
import { hepTime } from './hep-time.js';

const FIXED_LENGTH = 8;
const AF_INET = 2;
/** Senders write the number of their own system for IPv6: 10 on Linux, 28 and 30 elsewhere. */
const AF_INET6: ReadonlySet<number | undefined> = new Set([10, 28, 30]);
/** Seconds, microseconds, id of the agent, and two bytes of padding. */
const TIME_LENGTH = 12;

/**
 * Whether a datagram at any port is such a packet: the header has no mark, so all of its fixed fields must fit, and SIP must
 * follow.
 */
export function isEarlierHep(bytes: Buffer): boolean {
  const [version, , family] = bytes;
  if (version !== 1 && version !== 2) return false;
  if (family !== AF_INET && !AF_INET6.has(family)) return false;
  const { addressesEnd, payloadAt } = placesIn(bytes);
  return bytes[1] === addressesEnd && isSip(bytes.subarray(payloadAt));
}

/**
 * Versions 1 and 2: a header of fixed fields, then the SIP message. Version 2 adds the time. Senders write their
 * C structs onto the wire, so the time is in the byte order of their machine: the order that gives a valid time
 * is used. Throws {@link HepError}.
 */
export function readEarlierHep(bytes: Buffer, receivedAt?: number): CapturedPacket {
  const [version, headerLength, family] = bytes;
  const six = AF_INET6.has(family);
  if (!six && family !== AF_INET) throw new HepError('address', `unknown address family ${family}`);
  const { addressLength, addressesEnd, payloadAt } = placesIn(bytes);
  if (headerLength !== addressesEnd) throw new HepError('length', `the header cannot have ${headerLength} bytes`);
  if (bytes.length <= payloadAt) throw new HepError('no-payload', 'the packet has no payload');
  const ip = (at: number): string => (six ? ipv6 : ipv4)(bytes.subarray(at, at + addressLength));
  const capturedAt = version === 2 ? captureTime(bytes.subarray(addressesEnd, payloadAt), receivedAt) : undefined;
  return {
    source: { ip: ip(FIXED_LENGTH), port: bytes.readUInt16BE(4) },
    destination: { ip: ip(FIXED_LENGTH + addressLength), port: bytes.readUInt16BE(6) },
    ...(capturedAt === undefined ? {} : { capturedAt }),
    content: 'sip',
    isFromAgent: true,
    payload: bytes.subarray(payloadAt),
  };
}

/** Where the fields stand in a packet of its version and family. */
function placesIn([version, , family]: Buffer): Readonly<
  Record<'addressLength' | 'addressesEnd' | 'payloadAt', number>
> {
  const addressLength = AF_INET6.has(family) ? 16 : 4;
  const addressesEnd = FIXED_LENGTH + 2 * addressLength;
  return { addressLength, addressesEnd, payloadAt: addressesEnd + (version === 2 ? TIME_LENGTH : 0) };
}

/** Microseconds are below a million in only one order, except for a few values. */
function captureTime(time: Buffer, receivedAt: number | undefined): number | undefined {
  const little = { seconds: time.readUInt32LE(0), microseconds: time.readUInt32LE(4) };
  const network = { seconds: time.readUInt32BE(0), microseconds: time.readUInt32BE(4) };
  const possible = [little, network].filter(({ microseconds }) => microseconds < 1_000_000);
  return hepTime(possible, receivedAt);
}
