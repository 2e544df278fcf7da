import { TRACE_LIMITS } from '@ringdown/contracts/traces';
import { isIPv4 } from 'node:net';
import type { MessageAddress } from './call-message.js';

export interface PcapPacket {
  /** Microseconds since 1970. */
  readonly at: number;
  readonly source: MessageAddress;
  readonly destination: MessageAddress;
  readonly payload: Buffer;
}

const MAGIC_MICROSECONDS = 0xa1b2c3d4;
/** LINKTYPE_RAW: packets begin with the header of IPv4 or IPv6. */
const LINK_TYPE = 101;
const SNAP_LENGTH = 262_144;
const UDP = 17;
const UDP_HEADER = 8;
const [IPV4_HEADER, IPV6_HEADER] = [20, 40];
const TIME_TO_LIVE = 64;

/** The head of a capture file, as libpcap writes it. */
export function pcapHead(): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(MAGIC_MICROSECONDS, 0);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(4, 6);
  head.writeUInt32LE(SNAP_LENGTH, 16);
  head.writeUInt32LE(LINK_TYPE, 20);
  return head;
}

/**
 * A message as one packet of UDP between its addresses, whatever transport had it: a part of a connection without its
 * beginning could not be read. It is cut where a packet ends: marks in place of hidden texts may be longer than these.
 */
export function pcapPacket({ at, source, destination, payload: whole }: PcapPacket): Buffer {
  const payload = whole.subarray(0, TRACE_LIMITS.payloadBytes);
  const isFour = isIPv4(source.ip) && isIPv4(destination.ip);
  const udp = udpPacket(source.port, destination.port, payload);
  const from = isFour ? ipv4Bytes(source.ip) : ipv6Bytes(source.ip);
  const to = isFour ? ipv4Bytes(destination.ip) : ipv6Bytes(destination.ip);
  // Zero stands for a packet without a checksum (RFC 768), so zero is written as all ones.
  udp.writeUInt16BE(checksum([from, to, pseudoTail(udp.length), udp]) || 0xffff, 6);
  const ip = isFour ? ipv4Header(from, to, udp.length) : ipv6Header(from, to, udp.length);
  const head = Buffer.alloc(16);
  head.writeUInt32LE(Math.floor(at / 1_000_000), 0);
  head.writeUInt32LE(at % 1_000_000, 4);
  head.writeUInt32LE(ip.length + udp.length, 8);
  head.writeUInt32LE(ip.length + udp.length, 12);
  return Buffer.concat([head, ip, udp]);
}

function udpPacket(sourcePort: number, destinationPort: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(UDP_HEADER);
  header.writeUInt16BE(sourcePort, 0);
  header.writeUInt16BE(destinationPort, 2);
  header.writeUInt16BE(UDP_HEADER + payload.length, 4);
  return Buffer.concat([header, payload]);
}

/** Length and protocol, which the checksum covers for both versions of IP. */
function pseudoTail(length: number): Buffer {
  const tail = Buffer.alloc(4);
  tail.writeUInt16BE(length, 0);
  tail.writeUInt16BE(UDP, 2);
  return tail;
}

function ipv4Header(from: Buffer, to: Buffer, length: number): Buffer {
  const header = Buffer.alloc(IPV4_HEADER);
  header.writeUInt8(0x45, 0);
  header.writeUInt16BE(IPV4_HEADER + length, 2);
  header.writeUInt8(TIME_TO_LIVE, 8);
  header.writeUInt8(UDP, 9);
  from.copy(header, 12);
  to.copy(header, 16);
  header.writeUInt16BE(checksum([header]), 10);
  return header;
}

function ipv6Header(from: Buffer, to: Buffer, length: number): Buffer {
  const header = Buffer.alloc(IPV6_HEADER);
  header.writeUInt8(0x60, 0);
  header.writeUInt16BE(length, 4);
  header.writeUInt8(UDP, 6);
  header.writeUInt8(TIME_TO_LIVE, 7);
  from.copy(header, 8);
  to.copy(header, 24);
  return header;
}

/** RFC 1071. Parts but the last have an even length. */
function checksum(parts: readonly Buffer[]): number {
  let sum = 0;
  for (const part of parts) {
    for (let at = 0; at + 1 < part.length; at += 2) sum += part.readUInt16BE(at);
    if (part.length % 2 === 1) sum += part.readUInt8(part.length - 1) << 8;
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}

function ipv4Bytes(ip: string): Buffer {
  return Buffer.from(ip.split('.').map(Number));
}

/** An IPv4 address as one of IPv6. */
function ipv6Bytes(ip: string): Buffer {
  if (isIPv4(ip)) return Buffer.concat([Buffer.from('00000000000000000000ffff', 'hex'), ipv4Bytes(ip)]);
  // The URL parser writes an IPv4 tail as two groups.
  const text = new URL(`http://[${ip}]`).hostname.slice(1, -1);
  const [left = '', right] = text.split('::');
  const [before, after] = [groupsIn(left), groupsIn(right ?? '')];
  const zeros = right === undefined ? 0 : 8 - before.length - after.length;
  const all = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  const bytes = Buffer.alloc(16);
  for (const [index, group] of all.entries()) bytes.writeUInt16BE(parseInt(group, 16), index * 2);
  return bytes;
}

function groupsIn(part: string): readonly string[] {
  return part === '' ? [] : part.split(':');
}
