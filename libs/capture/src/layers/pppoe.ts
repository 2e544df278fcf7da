import { layer, unread, type Layer } from './layer.js';

const HEADER_LENGTH = 6;
const VERSION_AND_TYPE = 0x11;
const SESSION_DATA = 0;

/** The session stage of PPPoE (RFC 2516). */
export function readPppoe(bytes: Buffer): Layer | undefined {
  if (bytes.length < HEADER_LENGTH || bytes.readUInt8(0) !== VERSION_AND_TYPE) return unread('PPPoE');
  if (bytes.readUInt8(1) !== SESSION_DATA) return undefined;
  return layer('ppp', bytes.subarray(HEADER_LENGTH, HEADER_LENGTH + bytes.readUInt16BE(4)));
}
