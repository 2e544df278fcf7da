import { u16, u32 } from './write-hep.js';
import { packetEtherType } from './write-pcap.js';

/** Links as capture tools write them, around an IP packet. */
const RADIO_HEADER = { plain: 24, betweenStations: 30 } as const;
const MAC = Buffer.from('020000000001', 'hex');

/** LLC with SNAP. */
export function llcSnap(packet: Buffer): Buffer {
  return Buffer.concat([Buffer.from('aaaa03000000', 'hex'), u16(packetEtherType(packet)), packet]);
}

/** IEEE 802.3: the length where Ethernet II has the type. */
export function ethernetWithLength(payload: Buffer): Buffer {
  return Buffer.concat([MAC, MAC, u16(payload.length), payload]);
}

export interface RadioParts {
  readonly qos?: boolean;
  readonly betweenStations?: boolean;
  readonly isProtected?: boolean;
}

/** A data frame of IEEE 802.11. */
export function radio(
  packet: Buffer,
  { qos = false, betweenStations = false, isProtected = false }: RadioParts = {},
): Buffer {
  const header = Buffer.alloc(betweenStations ? RADIO_HEADER.betweenStations : RADIO_HEADER.plain);
  header[0] = qos ? 0x88 : 0x08;
  header[1] = (betweenStations ? 0x03 : 0x01) | (isProtected ? 0x40 : 0);
  for (const at of [4, 10, 16, ...(betweenStations ? [24] : [])]) MAC.copy(header, at);
  return Buffer.concat([header, Buffer.alloc(qos ? 2 : 0), llcSnap(packet)]);
}

/** Radiotap with time and flags before a frame of IEEE 802.11; `isPadded`: its header is filled up to four bytes. */
export function radiotap(packet: Buffer, isPadded = false): Buffer {
  const header = Buffer.alloc(18);
  header.writeUInt16LE(18, 2);
  header.writeUInt32LE(0x03, 4);
  header[16] = isPadded ? 0x20 : 0;
  const frame = radio(packet, { qos: true });
  const padded = isPadded ? Buffer.concat([frame.subarray(0, 26), Buffer.alloc(2), frame.subarray(26)]) : frame;
  return Buffer.concat([header, padded]);
}

/** NFLOG on a little-endian machine: the hook, a prefix, then the packet. */
export function nflog(packet: Buffer): Buffer {
  const family = (packet[0] ?? 0) >> 4 === 6 ? 10 : 2;
  const fields = [
    nflogField(1, Buffer.from([8, 0, 1, 0])),
    nflogField(10, Buffer.from('sip\0\0')),
    nflogField(9, packet),
  ];
  return Buffer.concat([Buffer.from([family, 0, 0, 1]), ...fields]);
}

function nflogField(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(value.length + 4);
  head.writeUInt16LE(type, 2);
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

/** BSD loopback, little-endian. */
export function loopback(packet: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(packet[0] ?? 0) >> 4 === 6 ? 30 : 2, 0, 0, 0]), packet]);
}

/** PPP; compressed: without address and control field, with a protocol number of one byte. */
export function ppp(packet: Buffer, isCompressed = false): Buffer {
  const protocol = (packet[0] ?? 0) >> 4 === 6 ? 0x57 : 0x21;
  const head = isCompressed ? Buffer.from([protocol]) : Buffer.from([0xff, 0x03, 0x00, protocol]);
  return Buffer.concat([head, packet]);
}

export function pppoe(packet: Buffer): Buffer {
  const session = ppp(packet).subarray(2);
  return Buffer.concat([MAC, MAC, u16(0x88_64), Buffer.from([0x11, 0]), u16(0x1234), u16(session.length), session]);
}

export function ciscoHdlc(packet: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x0f, 0]), u16(packetEtherType(packet)), packet]);
}

/** A stack of labels; the last, which has this number, ends it. */
export function mpls(payload: Buffer, labels = 2, last = 16_000): Buffer {
  const stack = Array.from({ length: labels }, (_, n) => {
    const isLast = n === labels - 1;
    return u32(((isLast ? last : 100 + n) * 2 ** 12) | (isLast ? 0x1_40 : 0x40));
  });
  return Buffer.concat([...stack, payload]);
}

/** Ethernet with this type around a payload that is not IP. */
export function ethernetOf(type: number, payload: Buffer): Buffer {
  return Buffer.concat([MAC, MAC, u16(type), payload]);
}
