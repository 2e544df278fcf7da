import { u16, u32 } from './write-hep.js';
import { packetEtherType, ip, udp, type Place } from './write-pcap.js';

/** Tunnels between two routers, around an IP packet or a frame. */
const FROM = { ip: '198.51.100.1', port: 40_000 };
const TO = { ip: '198.51.100.2', port: 0 };
const FROM6 = { ip: '2001:db8:f::1', port: 0 };
const TO6 = { ip: '2001:db8:f::2', port: 0 };
const PROTOCOL = { ip4: 4, ip6: 41, gre: 47, etherIp: 97, mpls: 137 } as const;

function inUdp(port: number, payload: Buffer): Buffer {
  return udp(FROM, { ...TO, port }, payload);
}

/** IP in IP, all four combinations: the outer version, and the inner by the packet. */
export function ipInIp(packet: Buffer, outer: 4 | 6 = 4): Buffer {
  const protocol = (packet[0] ?? 0) >> 4 === 6 ? PROTOCOL.ip6 : PROTOCOL.ip4;
  return outer === 4 ? ip(FROM, TO, protocol, packet) : ip(FROM6, TO6, protocol, packet);
}

export function vxlan(frame: Buffer, port = 4_789): Buffer {
  return inUdp(port, Buffer.concat([Buffer.from([0x08, 0, 0, 0]), u32(0x123 << 8), frame]));
}

/** The generic protocol extension, with IP. */
export function vxlanGpe(packet: Buffer): Buffer {
  const next = (packet[0] ?? 0) >> 4 === 6 ? 2 : 1;
  return inUdp(4_790, Buffer.concat([Buffer.from([0x0c, 0, 0, next]), u32(0x123 << 8), packet]));
}

/** Geneve with an option of eight bytes. */
export function geneve(payload: Buffer, type = 0x65_58): Buffer {
  const option = Buffer.concat([u16(0x01_02), Buffer.from([0x80, 1]), u32(7)]);
  return inUdp(
    6_081,
    Buffer.concat([Buffer.from([option.length / 4, 0]), u16(type), u32(0x123 << 8), option, payload]),
  );
}

export interface GreParts {
  readonly type?: number;
  readonly checksum?: boolean;
  readonly key?: number;
  readonly sequence?: number;
}

export function gre(payload: Buffer, { type, checksum = false, key, sequence }: GreParts = {}): Buffer {
  const flags = (checksum ? 0x80_00 : 0) | (key === undefined ? 0 : 0x20_00) | (sequence === undefined ? 0 : 0x10_00);
  const fields = [
    ...(checksum ? [u32(0)] : []),
    ...(key === undefined ? [] : [u32(key)]),
    ...(sequence === undefined ? [] : [u32(sequence)]),
  ];
  return greOf(flags, type ?? packetEtherType(payload), Buffer.concat([...fields, payload]));
}

/** PPTP: version 1, with the length of the payload and a sequence number. */
export function pptp(pppFrame: Buffer): Buffer {
  return greOf(0x30_01, 0x88_0b, Buffer.concat([u16(pppFrame.length), u16(5), u32(1), pppFrame]));
}

function greOf(flags: number, type: number, rest: Buffer): Buffer {
  return ip(FROM, TO, PROTOCOL.gre, Buffer.concat([u16(flags), u16(type), rest]));
}

export function erspan1(frame: Buffer): Buffer {
  return gre(frame, { type: 0x88_be });
}

export function erspan2(frame: Buffer): Buffer {
  return gre(Buffer.concat([u16(0x10_05), u16(1), u32(0), frame]), { type: 0x88_be, sequence: 1 });
}

/** Type III; `hasPlatform`: with the optional part of eight bytes. */
export function erspan3(frame: Buffer, hasPlatform = false): Buffer {
  const head = Buffer.concat([u16(0x20_05), u16(1), u32(0), u16(0), u16(hasPlatform ? 1 : 0)]);
  const platform = hasPlatform ? Buffer.concat([u32(0x1 << 26), u32(0)]) : Buffer.alloc(0);
  return gre(Buffer.concat([head, platform, frame]), { type: 0x22_eb, sequence: 1 });
}

export function etherIp(frame: Buffer): Buffer {
  return ip(FROM, TO, PROTOCOL.etherIp, Buffer.concat([Buffer.from([0x30, 0]), frame]));
}

export function mplsInIp(stack: Buffer): Buffer {
  return ip(FROM, TO, PROTOCOL.mpls, stack);
}

export function mplsInUdp(stack: Buffer): Buffer {
  return inUdp(6_635, stack);
}

/** GTP-U; with extensions: a PDU session container, as 5G has it. */
export function gtpU(packet: Buffer, hasExtensions = false): Buffer {
  const extension = Buffer.concat([u16(0), Buffer.from([0, 0x85, 1, 0x10, 0x09, 0])]);
  const rest = hasExtensions ? Buffer.concat([extension, packet]) : packet;
  const head = [Buffer.from([hasExtensions ? 0x34 : 0x30, 255]), u16(rest.length), u32(0xabcd)];
  return inUdp(2_152, Buffer.concat([...head, rest]));
}

/** TZSP with a tag of a byte and padding; 1: Ethernet, 18: IEEE 802.11. */
export function tzsp(frame: Buffer, type: 1 | 18 = 1): Buffer {
  return inUdp(37_008, Buffer.concat([Buffer.from([1, 0]), u16(type), Buffer.from([0, 10, 1, 0xc0, 1]), frame]));
}

/** L2TP with length, sequence numbers and offset. */
export function l2tp(pppFrame: Buffer): Buffer {
  const length = u16(pppFrame.length + 14);
  return inUdp(1_701, Buffer.concat([u16(0x4a_02), length, u16(1), u16(2), u16(0), u16(0), u16(0), pppFrame]));
}

/** The authentication header of IPsec before UDP. */
export function authenticated(from: Place, to: Place, datagram: Buffer): Buffer {
  const header = Buffer.concat([Buffer.from([17, 4, 0, 0]), u32(1), u32(1), Buffer.alloc(12)]);
  return ip(from, to, 51, Buffer.concat([header, datagram]));
}

/** Encrypted: it cannot be read. */
export function esp(payload: Buffer): Buffer {
  return ip(FROM, TO, 50, Buffer.concat([u32(1), u32(1), payload]));
}
