import { ofEtherType } from './ether-types.js';
import { unread, type Layer } from './layer.js';

const HEADER_LENGTH = 8;

/** Geneve (RFC 8926): version 0, options in words of four bytes, and an EtherType. */
export function readGeneve(bytes: Buffer): Layer | undefined {
  if (bytes.length < HEADER_LENGTH || bytes.readUInt8(0) >> 6 !== 0) return undefined;
  const reserved = (bytes.readUInt8(1) & 0x3f) | bytes.readUInt8(7);
  if (reserved !== 0) return undefined;
  const options = (bytes.readUInt8(0) & 0x3f) * 4;
  return ofEtherType(bytes.readUInt16BE(2), bytes.subarray(HEADER_LENGTH + options)) ?? unread('Geneve');
}
