import { layer, unread, type Layer } from './layer.js';

const HEADER_LENGTH = 24;
const ADDRESS_LENGTH = 6;
const DATA = 2;
/** Bits of the subtype of data frames (IEEE 802.11, 9.2.4.1). */
const SUBTYPE = { noData: 0x4, qos: 0x8 } as const;
const FLAG = { toDs: 0x01, fromDs: 0x02, moreFragments: 0x04, protected: 0x40, order: 0x80 } as const;
const AGGREGATED = 0x80;

/** A data frame of a wireless network, with LLC in it. */
export function readIeee80211(bytes: Buffer): Layer | undefined {
  return readFrame(bytes, false);
}

/** The same, if the card has filled up the header to a multiple of four bytes. */
export function readPaddedIeee80211(bytes: Buffer): Layer | undefined {
  return readFrame(bytes, true);
}

function readFrame(bytes: Buffer, isPadded: boolean): Layer | undefined {
  if (bytes.length < HEADER_LENGTH) return undefined;
  const [type, subtype] = [(bytes.readUInt8(0) >> 2) & 0x3, bytes.readUInt8(0) >> 4];
  if (type !== DATA || (subtype & SUBTYPE.noData) !== 0) return undefined;
  const flags = bytes.readUInt8(1);
  if ((flags & FLAG.protected) !== 0) return unread('encrypted IEEE 802.11');
  const isFragment = (flags & FLAG.moreFragments) !== 0 || (bytes.readUInt8(22) & 0x0f) !== 0;
  if (isFragment) return unread('fragmented IEEE 802.11');
  const betweenStations = (flags & FLAG.toDs) !== 0 && (flags & FLAG.fromDs) !== 0;
  let length = HEADER_LENGTH + (betweenStations ? ADDRESS_LENGTH : 0);
  if ((subtype & SUBTYPE.qos) !== 0) {
    if (((bytes[length] ?? 0) & AGGREGATED) !== 0) return unread('aggregated IEEE 802.11 (A-MSDU)');
    length += 2 + ((flags & FLAG.order) === 0 ? 0 : 4);
  }
  return layer('llc', bytes.subarray(isPadded ? Math.ceil(length / 4) * 4 : length));
}
