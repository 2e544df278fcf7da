import { ofLinksEtherType } from './ether-types.js';
import { layer, type Layer } from './layer.js';

/** A VLAN tag (IEEE 802.1Q, 802.1ad): two bytes of tag, then the type of the payload. */
export function readVlan(bytes: Buffer): Layer | undefined {
  if (bytes.length < 4) return undefined;
  const type = bytes.readUInt16BE(2);
  const payload = bytes.subarray(4);
  return type < 0x06_00 ? layer('llc', payload.subarray(0, type)) : ofLinksEtherType(type, payload);
}
