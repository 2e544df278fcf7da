import { layer, unread, type Layer } from './layer.js';

const FLAG = { control: 0x80_00, length: 0x40_00, sequence: 0x08_00, offset: 0x02_00 } as const;
/** Flags, tunnel and session. */
const FIXED_LENGTH = 6;

/** L2TP, version 2 (RFC 2661, 3.1): PPP over UDP. */
export function readL2tp(bytes: Buffer): Layer | undefined {
  if (bytes.length < FIXED_LENGTH) return undefined;
  const flags = bytes.readUInt16BE(0);
  if ((flags & 0x0f) === 3) return unread('L2TP version 3');
  if ((flags & 0x0f) !== 2 || (flags & FLAG.control) !== 0) return undefined;
  let at = FIXED_LENGTH + ((flags & FLAG.length) === 0 ? 0 : 2) + ((flags & FLAG.sequence) === 0 ? 0 : 4);
  if ((flags & FLAG.offset) !== 0) {
    if (bytes.length < at + 2) return unread('L2TP');
    at += 2 + bytes.readUInt16BE(at);
  }
  return layer('ppp', bytes.subarray(at));
}
