import { createHash, timingSafeEqual } from 'node:crypto';
import { unzipSync } from 'node:zlib';
import type { CapturedPacket, PacketContent } from './captured-packet.js';
import { ipv4, ipv6 } from './ip-address.js';
import { HepError } from './hep-error.js';
import { readEarlierHep } from './read-earlier-hep.js';

export const HEP3_MARK = Buffer.from('HEP3');
/** Mark and length of the whole. */
export const HEP3_HEADER_LENGTH = 6;
const CHUNK_HEADER_LENGTH = 6;
/** What a compressed payload may become: no UDP datagram holds more. */
const PAYLOAD_LIMIT = 65_535;
const TEXT_LIMIT = 512;

/** Chunks of the vendor 0, the protocol's own. Others are skipped, as the protocol wants. */
const CHUNK = {
  source4: 3,
  destination4: 4,
  source6: 5,
  destination6: 6,
  sourcePort: 7,
  destinationPort: 8,
  seconds: 9,
  microseconds: 10,
  content: 11,
  password: 14,
  payload: 15,
  compressedPayload: 16,
  correlationId: 17,
  node: 19,
} as const;

/** Lengths that are fixed; a chunk of another length makes the packet unreadable. */
const FIXED_LENGTHS: ReadonlyMap<number, number> = new Map([
  [CHUNK.source4, 4],
  [CHUNK.destination4, 4],
  [CHUNK.source6, 16],
  [CHUNK.destination6, 16],
  [CHUNK.sourcePort, 2],
  [CHUNK.destinationPort, 2],
  [CHUNK.seconds, 4],
  [CHUNK.microseconds, 4],
  [CHUNK.content, 1],
]);

export interface HepOptions {
  /** What agents must send with each packet. Versions before 3 cannot, and are refused where it is set. */
  readonly password?: string;
}

/**
 * One packet of the Homer Encapsulation Protocol, version 1, 2 or 3: exactly one, with nothing behind it.
 * Throws {@link HepError}.
 */
export function readHep(bytes: Buffer, { password }: HepOptions = {}): CapturedPacket {
  if (bytes.subarray(0, 4).equals(HEP3_MARK)) return readHep3(bytes, password);
  if (bytes[0] !== 1 && bytes[0] !== 2) throw new HepError('not-hep', 'the first bytes are those of no HEP version');
  if (password !== undefined) throw new HepError('password', `HEP version ${bytes[0]} carries no password`);
  return readEarlierHep(bytes);
}

function readHep3(bytes: Buffer, password: string | undefined): CapturedPacket {
  const chunks = readChunks(bytes);
  if (password !== undefined && !isPassword(chunks.get(CHUNK.password), password)) {
    throw new HepError('password', 'the password is missing or another one');
  }
  const correlationId = text(chunks.get(CHUNK.correlationId));
  const node = text(chunks.get(CHUNK.node));
  const capturedAt = captureTime(chunks.get(CHUNK.seconds), chunks.get(CHUNK.microseconds));
  return {
    source: {
      ip: address(chunks.get(CHUNK.source4), chunks.get(CHUNK.source6)),
      port: port(chunks.get(CHUNK.sourcePort)),
    },
    destination: {
      ip: address(chunks.get(CHUNK.destination4), chunks.get(CHUNK.destination6)),
      port: port(chunks.get(CHUNK.destinationPort)),
    },
    ...(capturedAt === undefined ? {} : { capturedAt }),
    content: contentOf(chunks.get(CHUNK.content)?.[0]),
    ...(correlationId === '' ? {} : { correlationId }),
    ...(node === '' ? {} : { node }),
    payload: payload(chunks),
  };
}

function readChunks(bytes: Buffer): ReadonlyMap<number, Buffer> {
  if (bytes.length < HEP3_HEADER_LENGTH || bytes.readUInt16BE(4) !== bytes.length) {
    throw new HepError('length', `${bytes.length} bytes are not the length that the header says`);
  }
  const chunks = new Map<number, Buffer>();
  for (let at = HEP3_HEADER_LENGTH; at < bytes.length;) {
    if (bytes.length - at < CHUNK_HEADER_LENGTH) throw new HepError('chunk', 'the last chunk has no whole header');
    const vendor = bytes.readUInt16BE(at);
    const type = bytes.readUInt16BE(at + 2);
    const length = bytes.readUInt16BE(at + 4);
    const end = at + length;
    if (length < CHUNK_HEADER_LENGTH || end > bytes.length) {
      throw new HepError('chunk', `chunk ${type} has an impossible length of ${length}`);
    }
    const body = bytes.subarray(at + CHUNK_HEADER_LENGTH, end);
    if (vendor === 0) {
      const fixed = FIXED_LENGTHS.get(type);
      if (fixed !== undefined && fixed !== body.length) {
        throw new HepError('chunk', `chunk ${type} has ${body.length} bytes instead of ${fixed}`);
      }
      chunks.set(type, body);
    }
    at = end;
  }
  return chunks;
}

/** Digests have one length, so that the comparison tells nothing about the password. */
function isPassword(given: Buffer | undefined, password: string): boolean {
  return given !== undefined && timingSafeEqual(digest(given), digest(password));
}

function digest(bytes: Buffer | string): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function address(four: Buffer | undefined, six: Buffer | undefined): string {
  if (four) return ipv4(four);
  if (six) return ipv6(six);
  throw new HepError('address', 'an address is missing');
}

function port(bytes: Buffer | undefined): number {
  if (!bytes) throw new HepError('address', 'a port is missing');
  return bytes.readUInt16BE(0);
}

function captureTime(seconds: Buffer | undefined, microseconds: Buffer | undefined): number | undefined {
  if (!seconds || seconds.readUInt32BE(0) === 0) return undefined;
  const fraction = microseconds?.readUInt32BE(0) ?? 0;
  return seconds.readUInt32BE(0) * 1_000 + Math.min(fraction, 999_999) / 1_000;
}

function contentOf(type: number | undefined): PacketContent {
  if (type === 1) return 'sip';
  return type === 5 ? 'rtcp' : 'other';
}

function text(bytes: Buffer | undefined): string {
  return bytes?.subarray(0, TEXT_LIMIT).toString('utf8').replaceAll('\u0000', '').trim() ?? '';
}

function payload(chunks: ReadonlyMap<number, Buffer>): Buffer {
  const plain = chunks.get(CHUNK.payload);
  if (plain) return plain;
  const compressed = chunks.get(CHUNK.compressedPayload);
  if (!compressed) throw new HepError('no-payload', 'there is no payload');
  try {
    return unzipSync(compressed, { maxOutputLength: PAYLOAD_LIMIT });
  } catch (error) {
    throw new HepError('compression', `the payload cannot be expanded: ${String(error)}`);
  }
}
