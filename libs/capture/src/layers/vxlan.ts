import { layer, unread, type Layer, type LayerName } from './layer.js';

const HEADER_LENGTH = 8;
const FLAG = { networkId: 0x08, nextProtocol: 0x04 } as const;
/** Reserved in VXLAN and its extensions for generic protocols and group policies. */
const NEVER_SET = 0x40;
const NEXT: ReadonlyMap<number, LayerName> = new Map([
  [1, 'ip'],
  [2, 'ip'],
  [3, 'ethernet'],
  [5, 'mpls'],
]);

/** VXLAN (RFC 7348), also with the generic protocol extension (GPE). */
export function readVxlan(bytes: Buffer): Layer | undefined {
  if (bytes.length < HEADER_LENGTH) return undefined;
  const flags = bytes.readUInt8(0);
  if ((flags & FLAG.networkId) === 0 || (flags & NEVER_SET) !== 0 || bytes.readUInt8(7) !== 0) return undefined;
  const payload = bytes.subarray(HEADER_LENGTH);
  if ((flags & FLAG.nextProtocol) === 0) return layer('ethernet', payload);
  const next = NEXT.get(bytes.readUInt8(3));
  return next === undefined ? unread('VXLAN-GPE') : layer(next, payload);
}
