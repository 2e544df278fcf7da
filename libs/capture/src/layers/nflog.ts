import { layer, unread, type Layer } from './layer.js';

const HEADER_LENGTH = 4;
const FIELD_HEADER_LENGTH = 4;
const PAYLOAD = 9;
const FAMILY: ReadonlySet<number> = new Set([2, 10]);
const MAX_FIELDS = 64;

/** NFLOG (link type 239): fields of netlink, in the byte order of the machine, one of which is the IP packet. */
export function readNflog(bytes: Buffer): Layer {
  const payload = nflogPayload(bytes, false) ?? nflogPayload(bytes, true);
  return payload && FAMILY.has(bytes[0] ?? 0) ? layer('ip', payload) : unread('NFLOG');
}

function nflogPayload(bytes: Buffer, isBig: boolean): Buffer | undefined {
  let at = HEADER_LENGTH;
  for (let fields = 0; fields < MAX_FIELDS && at + FIELD_HEADER_LENGTH <= bytes.length; fields++) {
    const length = isBig ? bytes.readUInt16BE(at) : bytes.readUInt16LE(at);
    const type = (isBig ? bytes.readUInt16BE(at + 2) : bytes.readUInt16LE(at + 2)) & 0x7f_ff;
    if (length < FIELD_HEADER_LENGTH) return undefined;
    if (type === PAYLOAD) return bytes.subarray(at + FIELD_HEADER_LENGTH, at + length);
    at += Math.ceil(length / 4) * 4;
  }
  return undefined;
}
