import { createHash, timingSafeEqual } from 'node:crypto';
import { unzipSync } from 'node:zlib';
import { UNKNOWN_IP, UNKNOWN_PORT, type CapturedPacket, type PacketContent } from '../packet/captured-packet.js';
import { ipv4, ipv6 } from '../packet/ip-address.js';
import { isSip } from '../streams/sip-stream.js';
import { HepError } from './hep-error.js';
import { CHUNK, Hep3Chunks } from './hep3-chunks.js';
import { hepTime } from './hep-time.js';
import { readEarlierHep } from './read-earlier-hep.js';

export const HEP3_MARK = Buffer.from('HEP3');
const HEP3_WORD = HEP3_MARK.readUInt32BE();
/** Limit of a decompressed payload: the largest UDP datagram. */
const PAYLOAD_LIMIT = 65_535;
const TEXT_LIMIT = 512;

export interface HepOptions {
  /** What agents must send with each packet. Versions before 3 cannot, and are rejected if it is set. */
  readonly password?: string;
  /** When the packet was received, milliseconds since 1970: decides between readings of its time. */
  readonly receivedAt?: number;
}

/**
 * Reads one packet of the Homer Encapsulation Protocol, version 1, 2 or 3: exactly one, with nothing after it.
 * Throws {@link HepError}.
 */
export function readHep(bytes: Buffer, options: HepOptions = {}): CapturedPacket {
  const { password, receivedAt } = options;
  if (bytes.length >= HEP3_MARK.length && bytes.readUInt32BE(0) === HEP3_WORD) return readHep3(bytes, options);
  if (bytes[0] !== 1 && bytes[0] !== 2)
    throw new HepError('not-hep', 'the packet does not begin with a known HEP version');
  if (password !== undefined) throw new HepError('password', `HEP version ${bytes[0]} cannot carry a password`);
  return readEarlierHep(bytes, receivedAt);
}

function readHep3(bytes: Buffer, { password, receivedAt }: HepOptions): CapturedPacket {
  const chunks = new Hep3Chunks(bytes);
  if (password !== undefined && !isPassword(chunks.get(CHUNK.password), password)) {
    throw new HepError('password', 'the password is missing or wrong');
  }
  const correlationId = text(chunks.get(CHUNK.correlationId));
  const node = text(chunks.get(CHUNK.node));
  const agent = chunks.get(CHUNK.agent)?.readUInt32BE();
  const capturedAt = captureTime(bytes, chunks, receivedAt);
  const body = payload(chunks);
  const content = hepContent(bytes, chunks.startOf(CHUNK.content), body);
  return {
    source: {
      ip: address(bytes, chunks.startOf(CHUNK.source4), chunks.startOf(CHUNK.source6)),
      port: port(bytes, chunks.startOf(CHUNK.sourcePort)),
    },
    destination: {
      ip: address(bytes, chunks.startOf(CHUNK.destination4), chunks.startOf(CHUNK.destination6)),
      port: port(bytes, chunks.startOf(CHUNK.destinationPort)),
    },
    ...(capturedAt === undefined ? {} : { capturedAt }),
    content,
    ...(content === 'sip' ? { isFromAgent: true } : {}),
    ...(correlationId === '' ? {} : { correlationId }),
    ...(agent === undefined ? {} : { agent }),
    ...(node === '' ? {} : { node }),
    payload: body,
  };
}

/** Digests have equal length, so the comparison reveals nothing about the password. */
function isPassword(given: Buffer | undefined, password: string): boolean {
  return given !== undefined && timingSafeEqual(digest(given), digest(password));
}

function digest(bytes: Buffer | string): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** FreeSWITCH sends no addresses of IPv6 (signalwire/freeswitch#1535); who calls whom is in SIP. */
function address(bytes: Buffer, four: number, six: number): string {
  if (four > 0) return ipv4(bytes, four);
  return six > 0 ? ipv6(bytes.subarray(six, six + 16)) : UNKNOWN_IP;
}

function port(bytes: Buffer, at: number): number {
  return at === 0 ? UNKNOWN_PORT : bytes.readUInt16BE(at);
}

function captureTime(bytes: Buffer, chunks: Hep3Chunks, receivedAt: number | undefined): number | undefined {
  const [at, partAt] = [chunks.startOf(CHUNK.seconds), chunks.startOf(CHUNK.microseconds)];
  if (at === 0) return undefined;
  const network = { seconds: bytes.readUInt32BE(at), microseconds: partAt === 0 ? 0 : bytes.readUInt32BE(partAt) };
  const reversed = { seconds: bytes.readUInt32LE(at), microseconds: partAt === 0 ? 0 : bytes.readUInt32LE(partAt) };
  return hepTime([network, reversed], receivedAt);
}

/** The number of the protocol in a packet of version 3; 0 is reserved, and stands for none. Throws {@link HepError}. */
export function hepType(bytes: Buffer): number {
  return new Hep3Chunks(bytes).get(CHUNK.content)?.[0] ?? 0;
}

/** Of the protocol types of HEP. Agents send statistics of RTP as type 34, some as 35. */
function hepContent(bytes: Buffer, at: number, body: Buffer): PacketContent {
  switch (at === 0 ? 0 : bytes[at]) {
    case 0:
      return isSip(body) ? 'sip' : 'other';
    case 1:
      return 'sip';
    case 4:
      return 'rtp';
    case 5:
      return 'rtcp';
    case 34:
    case 35:
      return 'rtp-statistics';
    default:
      return 'other';
  }
}

function text(bytes: Buffer | undefined): string {
  // Not truncated: a part of a Call-ID would be another Call-ID.
  if (bytes === undefined || bytes.length > TEXT_LIMIT) return '';
  return bytes.toString('utf8').replaceAll('\u0000', '').trim();
}

function payload(chunks: Hep3Chunks): Buffer {
  const plain = chunks.get(CHUNK.payload);
  if (plain) return plain;
  const compressed = chunks.get(CHUNK.compressedPayload);
  if (!compressed) throw new HepError('no-payload', 'the packet has no payload');
  try {
    return unzipSync(compressed, { maxOutputLength: PAYLOAD_LIMIT });
  } catch (error) {
    throw new HepError('compression', `the payload cannot be decompressed: ${String(error)}`);
  }
}
