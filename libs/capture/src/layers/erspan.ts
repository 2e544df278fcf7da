import { layer, unread, type Layer } from './layer.js';

const LENGTH_2 = 8;
const LENGTH_3 = 12;
const PLATFORM_LENGTH = 8;
const FRAME_TYPE = { ethernet: 0, ip: 2 } as const;

/** ERSPAN II (draft-foschiano-erspan-03, 4.2). */
export function readErspan2(bytes: Buffer): Layer {
  return erspanVersion(bytes) === 1 && bytes.length > LENGTH_2
    ? layer('ethernet', bytes.subarray(LENGTH_2))
    : unread('ERSPAN');
}

/** ERSPAN III (4.3), whose flag O announces eight bytes of the platform. */
export function readErspan3(bytes: Buffer): Layer {
  if (erspanVersion(bytes) !== 2 || bytes.length <= LENGTH_3) return unread('ERSPAN');
  const field = bytes.readUInt16BE(10);
  const payload = bytes.subarray(LENGTH_3 + ((field & 1) === 1 ? PLATFORM_LENGTH : 0));
  const type = (field >> 10) & 0x1f;
  if (type === FRAME_TYPE.ip) return layer('ip', payload);
  return type === FRAME_TYPE.ethernet ? layer('ethernet', payload) : unread('ERSPAN');
}

function erspanVersion(bytes: Buffer): number {
  return (bytes[0] ?? 0) >> 4;
}
