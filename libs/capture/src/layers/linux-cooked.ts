import { hexNumber, isEtherType, isVlanType, ofLinksEtherType } from './ether-types.js';
import { layer, unread, type Layer } from './layer.js';

/** Linux's own numbers (if_ether.h, ETH_P_802_3 and ETH_P_802_2): IPX, and LLC. */
const NOVELL = 0x00_01;
const LLC = 0x00_04;

/** How the fields stand in one version of the header (tcpdump.org: LINKTYPE_LINUX_SLL, LINKTYPE_LINUX_SLL2). */
interface CookedHeader {
  readonly length: number;
  readonly protocolAt: number;
  /** The type of the device, a number of Linux (ARPHRD_). */
  readonly deviceAt: number;
  /** The link address: eight bytes, filled up with zeros. */
  readonly addressAt: number;
}

const VERSION_1: CookedHeader = { length: 16, protocolAt: 14, deviceAt: 2, addressAt: 6 };
const VERSION_2: CookedHeader = { length: 20, protocolAt: 0, deviceAt: 8, addressAt: 12 };
/** libpcap puts the tag where version 1 has its protocol, also in version 2, where the address is (libpcap#1105). */
const TAG_AT = 14;
const TAG_LENGTH = 4;

/** Linux cooked capture, version 1 (`tcpdump -i any`). A VLAN tag stands where the protocol is expected, which is right. */
export function readCooked(bytes: Buffer): Layer | undefined {
  return bytes.length < VERSION_1.length ? undefined : readAs(VERSION_1, bytes);
}

/** Version 2. */
export function readCooked2(bytes: Buffer): Layer | undefined {
  if (bytes.length < VERSION_2.length) return undefined;
  return readAs(VERSION_2, hasTagInside(bytes) ? withoutTag(bytes) : bytes);
}

function readAs({ length, protocolAt, deviceAt }: CookedHeader, bytes: Buffer): Layer | undefined {
  const payload = bytes.subarray(length);
  const protocol = bytes.readUInt16BE(protocolAt);
  // Of these devices the header does not tell the protocol.
  switch (bytes.readUInt16BE(deviceAt)) {
    case 770:
      return unread('Frame Relay');
    case 801:
      return layer('ieee80211', payload);
    case 802:
      return unread('IEEE 802.11 with Prism header');
    case 803:
      return layer('radiotap', payload);
    default:
      return ofProtocol(protocol, payload);
  }
}

function ofProtocol(protocol: number, payload: Buffer): Layer | undefined {
  if (protocol === LLC) return layer('llc', payload);
  if (isEtherType(protocol) || protocol === NOVELL) return ofLinksEtherType(protocol, payload);
  return unread(`protocol ${hexNumber(protocol)} of Linux cooked`);
}

/** The zeros after the address, or its own bytes, are then four bytes further. */
function hasTagInside(bytes: Buffer): boolean {
  const end = VERSION_2.length + TAG_LENGTH;
  if (bytes.length <= end || !isVlanType(bytes.readUInt16BE(TAG_AT))) return false;
  const addressLength = Math.min(Math.max(bytes.readUInt8(11), TAG_AT - VERSION_2.addressAt), 8);
  const addressEnd = VERSION_2.addressAt + addressLength + TAG_LENGTH;
  if (bytes.subarray(addressEnd, end).some((byte) => byte !== 0)) return false;
  const version = ipVersionOf(bytes.readUInt16BE(VERSION_2.protocolAt));
  return version === undefined || bytes.readUInt8(end) >> 4 === version;
}

function withoutTag(bytes: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, TAG_AT), bytes.subarray(TAG_AT + TAG_LENGTH)]);
}

function ipVersionOf(protocol: number): number | undefined {
  if (protocol === 0x08_00) return 4;
  return protocol === 0x86_dd ? 6 : undefined;
}
