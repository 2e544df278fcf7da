import { ofLinksEtherType } from './ether-types.js';
import { layer, type Layer } from './layer.js';

const UNICAST = 0x0f;
const BROADCAST = 0x8f;
const HEADER_LENGTH = 4;

/** Serial links (link types 50 and 104): PPP in HDLC frames (RFC 1662), or Cisco's HDLC with an EtherType. */
export function readHdlc(bytes: Buffer): Layer | undefined {
  if (bytes.length < HEADER_LENGTH) return undefined;
  const address = bytes.readUInt8(0);
  const isCisco = (address === UNICAST || address === BROADCAST) && bytes.readUInt8(1) === 0;
  return isCisco ? ofLinksEtherType(bytes.readUInt16BE(2), bytes.subarray(HEADER_LENGTH)) : layer('ppp', bytes);
}
