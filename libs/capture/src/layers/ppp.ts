import { layer, unread, type Layer } from './layer.js';

const ADDRESS_AND_CONTROL = 0xff_03;
const NEXT = new Map([
  [0x00_21, 'ip'],
  [0x00_57, 'ip'],
  [0x02_81, 'mpls'],
] as const);
const UNREAD: ReadonlyMap<number, string> = new Map([
  [0x00_2d, 'PPP with compressed TCP headers'],
  [0x00_2f, 'PPP with compressed TCP headers'],
  [0x00_31, 'PPP bridging'],
  [0x00_3d, 'PPP Multilink'],
  [0x00_53, 'encrypted PPP'],
  [0x00_fb, 'compressed PPP'],
  [0x00_fd, 'compressed PPP'],
]);

/** PPP (RFC 1661), with compressed address and control fields, and compressed protocol numbers (6.5, 6.6), or without. */
export function readPpp(bytes: Buffer): Layer | undefined {
  const hasAddress = bytes.length >= 2 && bytes.readUInt16BE(0) === ADDRESS_AND_CONTROL;
  const field = bytes.subarray(hasAddress ? 2 : 0);
  if (field.length < 2) return undefined;
  // Numbers are odd in their last byte alone (RFC 1661, 2): an odd first byte is the whole number.
  const isShort = (field.readUInt8(0) & 1) === 1;
  const protocol: number = isShort ? field.readUInt8(0) : field.readUInt16BE(0);
  const next = [...NEXT].find(([number]) => number === protocol)?.[1];
  if (next !== undefined) return layer(next, field.subarray(isShort ? 1 : 2));
  const name = UNREAD.get(protocol);
  return name === undefined ? undefined : unread(name);
}

/** PPP after a byte for the direction, which Linux writes (link types 166 and 204). */
export function readPppWithDirection(bytes: Buffer): Layer | undefined {
  // 166 overwrites the address with it, so that the control field may be left.
  const hasControl = bytes.length > 1 && bytes.readUInt8(1) === 0x03;
  return layer('ppp', bytes.subarray(hasControl ? 2 : 1));
}
