const ETHERTYPE = { ip4: 0x08_00, ip6: 0x86_dd } as const;
/** VLAN tags: four bytes each, before the real type. */
const TAGS: ReadonlySet<number> = new Set([0x81_00, 0x88_a8, 0x91_00]);
const MOST_TAGS = 4;

/** The offsets of the payload's type and of the payload in a frame (tcpdump.org/linktypes.html). */
const TYPED_LINKS: ReadonlyMap<number, readonly [typeAt: number, payloadAt: number]> = new Map([
  /** Ethernet. */
  [1, [12, 14]],
  /** Linux cooked capture, version 1 and 2. */
  [113, [14, 16]],
  [276, [0, 20]],
]);
/** Raw IP, by any of its numbers. */
const BARE_LINKS: ReadonlySet<number> = new Set([12, 14, 101, 228, 229]);
/** BSD loopback: the address family in four bytes of either order, then IP. */
const LOOPBACK_LINKS: ReadonlySet<number> = new Set([0, 108]);

/** Link types that capture tools of front ends write at times. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [9, 'PPP'],
  [50, 'PPP'],
  [104, 'Cisco HDLC'],
  [105, 'IEEE 802.11'],
  [127, 'IEEE 802.11 with radiotap'],
  [220, 'USB'],
  [239, 'Linux NFLOG'],
  [252, 'Wireshark upper PDU'],
]);

/** Whether frames of this link type can be read. */
export function canReadLink(linkType: number): boolean {
  return BARE_LINKS.has(linkType) || LOOPBACK_LINKS.has(linkType) || TYPED_LINKS.has(linkType);
}

/** In brackets, to append to the number; empty if unknown. */
export function nameOfLink(linkType: number): string {
  const name = NAMES.get(linkType);
  return name === undefined ? '' : ` (${name})`;
}

/** The IP packet in a frame; undefined if there is none. */
export function ipPacketIn(linkType: number, bytes: Buffer): Buffer | undefined {
  if (BARE_LINKS.has(linkType)) return bytes;
  if (LOOPBACK_LINKS.has(linkType)) return bytes.subarray(4);
  const typed = TYPED_LINKS.get(linkType);
  if (!typed) return undefined;
  let [typeAt, payloadAt] = typed;
  for (let tags = 0; tags <= MOST_TAGS && bytes.length >= typeAt + 2; tags++) {
    const type = bytes.readUInt16BE(typeAt);
    if (type === ETHERTYPE.ip4 || type === ETHERTYPE.ip6) return bytes.subarray(payloadAt);
    if (!TAGS.has(type)) return undefined;
    [typeAt, payloadAt] = [payloadAt + 2, payloadAt + 4];
  }
  return undefined;
}
