import { isIPv6 } from 'node:net';
import { addressBytes, u16, u32 } from './write-hep.js';

/** Packet captures for tests, as tcpdump writes them. */

export interface Place {
  readonly ip: string;
  readonly port: number;
}

export interface WrittenFrame {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly bytes: Buffer;
  /** Length on the wire, if the capture has only the beginning. */
  readonly length?: number;
}

function little(...values: readonly number[]): Buffer {
  return Buffer.concat(values.map((value) => u32(value).swap32()));
}

/** Little-endian, times in microseconds. */
export function writePcap(linkType: number, frames: readonly WrittenFrame[]): Buffer {
  const head = Buffer.concat([little(0xa1_b2_c3_d4), Buffer.from([2, 0, 4, 0]), little(0, 0, 65_535, linkType)]);
  const parts = frames.map(({ at, bytes, length = bytes.length }) => {
    const [seconds, micros] = [Math.floor(at / 1_000), Math.round((at % 1_000) * 1_000)];
    return Buffer.concat([little(seconds, micros, bytes.length, length), bytes]);
  });
  return Buffer.concat([head, ...parts]);
}

/** Big-endian, times in nanoseconds. */
export function writeNanoPcap(linkType: number, frames: readonly WrittenFrame[]): Buffer {
  const head = [u32(0xa1_b2_3c_4d), u16(2), u16(4), u32(0), u32(0), u32(65_535), u32(linkType)];
  const parts = frames.flatMap(({ at, bytes }) => {
    const [seconds, nanos] = [Math.floor(at / 1_000), Math.round((at % 1_000) * 1e6)];
    return [u32(seconds), u32(nanos), u32(bytes.length), u32(bytes.length), bytes];
  });
  return Buffer.concat([...head, ...parts]);
}

/** One big-endian block of pcapng. */
export function block(type: number, body: Buffer): Buffer {
  const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)]);
  const length = u32(padded.length + 12);
  return Buffer.concat([u32(type), length, padded, length]);
}

export const SECTION = block(
  0x0a_0d_0d_0a,
  Buffer.concat([u32(0x1a_2b_3c_4d), u16(1), u16(0), u32(-1 >>> 0), u32(-1 >>> 0)]),
);

/** An interface with times in milliseconds. */
export function link(linkType: number): Buffer {
  const resolution = Buffer.concat([u16(9), u16(1), Buffer.from([3, 0, 0, 0]), u32(0)]);
  return block(1, Buffer.concat([u16(linkType), u16(0), u32(0), resolution]));
}

export function writePcapng(linkType: number, frames: readonly WrittenFrame[]): Buffer {
  const packets = frames.map((frame) => packetBlock(frame, 0));
  // A block of statistics, which contains no packets.
  return Buffer.concat([SECTION, link(linkType), block(5, Buffer.alloc(12)), ...packets]);
}

export function udp(from: Place, to: Place, payload: Buffer): Buffer {
  const datagram = Buffer.concat([u16(from.port), u16(to.port), u16(payload.length + 8), u16(0), payload]);
  return ip(from, to, 17, datagram);
}

export interface TcpParts {
  readonly sequence: number;
  readonly flags?: number;
}

export const SYN = 2;
export const FIN = 1;

export function tcp(
  from: Place,
  to: Place,
  { sequence, flags = 0x10 }: TcpParts,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const header = [u16(from.port), u16(to.port), u32(sequence), u32(0), Buffer.from([0x50, flags]), u16(1_000), u32(0)];
  return ip(from, to, 6, Buffer.concat([...header, payload]));
}

export interface Piece {
  readonly offset: number;
  readonly more: boolean;
}

export function ip(from: Place, to: Place, protocol: number, payload: Buffer, piece?: Piece): Buffer {
  const addresses = [addressBytes(from.ip), addressBytes(to.ip)];
  if (!isIPv6(from.ip)) {
    const flags = piece ? (piece.offset / 8) | (piece.more ? 0x20_00 : 0) : 0;
    const head = [
      Buffer.from([0x45, 0]),
      u16(payload.length + 20),
      u16(7),
      u16(flags),
      Buffer.from([64, protocol]),
      u16(0),
    ];
    return Buffer.concat([...head, ...addresses, payload]);
  }
  const extension = piece
    ? Buffer.concat([Buffer.from([protocol, 0]), u16(piece.offset | (piece.more ? 1 : 0)), u32(7)])
    : Buffer.alloc(0);
  const next = piece ? 44 : protocol;
  const head = [u32(0x60_00_00_00), u16(extension.length + payload.length), Buffer.from([next, 64])];
  return Buffer.concat([...head, ...addresses, extension, payload]);
}

/** By the version of an IP packet. */
export function packetEtherType(packet: Buffer): number {
  return (packet[0] ?? 0) >> 4 === 6 ? 0x86_dd : 0x08_00;
}

export function ethernet(packet: Buffer, ...tags: readonly number[]): Buffer {
  const type = u16(packetEtherType(packet));
  return Buffer.concat([Buffer.alloc(12), ...tags.flatMap((tag) => [u16(tag), u16(5)]), type, packet]);
}

/** Linux cooked capture, version 1 and 2. */
export function cooked(packet: Buffer, version: 1 | 2 = 1): Buffer {
  const type = u16(packetEtherType(packet));
  return version === 1
    ? Buffer.concat([Buffer.alloc(14), type, packet])
    : Buffer.concat([type, Buffer.alloc(18), packet]);
}

/** A file with several interfaces: the frames of each. */
export function writeInterfaces(
  links: readonly { readonly linkType: number; readonly frames: readonly WrittenFrame[] }[],
): Buffer {
  const packets = links.flatMap(({ frames }, index) => frames.map((frame) => packetBlock(frame, index)));
  return Buffer.concat([SECTION, ...links.map(({ linkType }) => link(linkType)), ...packets]);
}

function packetBlock({ at, bytes, length = bytes.length }: WrittenFrame, index: number): Buffer {
  const [high, low] = [Math.floor(at / 2 ** 32), at % 2 ** 32];
  return block(6, Buffer.concat([u32(index), u32(high), u32(low), u32(bytes.length), u32(length), bytes]));
}
