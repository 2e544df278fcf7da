import { isKnownEtherType, ofLinksEtherType } from './ether-types.js';
import { layer, type Layer } from './layer.js';

const HEADER_LENGTH = 14;
const TYPE_AT = 12;
/** Smaller numbers are the length of an LLC payload (IEEE 802.3). */
const FIRST_TYPE = 0x06_00;
const ARP = 0x08_06;

export function readEthernet(bytes: Buffer): Layer | undefined {
  if (bytes.length < HEADER_LENGTH) return undefined;
  const type = bytes.readUInt16BE(TYPE_AT);
  const payload = bytes.subarray(HEADER_LENGTH);
  return type < FIRST_TYPE ? layer('llc', payload.subarray(0, type)) : ofLinksEtherType(type, payload);
}

/** Whether these bytes can be a frame: for carriers that do not say what they carry. */
export function isLikeEthernet(bytes: Buffer): boolean {
  if (bytes.length < HEADER_LENGTH) return false;
  const type = bytes.readUInt16BE(TYPE_AT);
  return type === ARP || isKnownEtherType(type) || (type >= 3 && type <= bytes.length - HEADER_LENGTH);
}
