import { layer, unread, type Layer } from './layer.js';

const FIXED_LENGTH = 8;
const PRESENT = { time: 0x01, flags: 0x02, more: 0x80_00_00_00 } as const;
const PADDED = 0x20;
const MAX_WORDS = 32;

/** Radiotap (radiotap.org): what the card measured, little-endian, before a frame of IEEE 802.11. */
export function readRadiotap(bytes: Buffer): Layer {
  if (bytes.length < FIXED_LENGTH || bytes.readUInt8(0) !== 0) return unread('radiotap');
  const length = bytes.readUInt16LE(2);
  if (length < FIXED_LENGTH || length > bytes.length) return unread('radiotap');
  const isPadded = (flagsIn(bytes.subarray(0, length)) & PADDED) !== 0;
  return layer(isPadded ? 'ieee80211-padded' : 'ieee80211', bytes.subarray(length));
}

/** The first fields are the time and the flags, each if present. */
function flagsIn(header: Buffer): number {
  const present = header.readUInt32LE(4);
  if ((present & PRESENT.flags) === 0) return 0;
  let at = FIXED_LENGTH;
  let word = present;
  for (let words = 1; word >>> 0 >= PRESENT.more && words < MAX_WORDS && at + 4 <= header.length; words++) {
    word = header.readUInt32LE(at);
    at += 4;
  }
  if ((present & PRESENT.time) !== 0) at = Math.ceil(at / 8) * 8 + 8;
  return header[at] ?? 0;
}
