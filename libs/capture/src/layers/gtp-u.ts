import { isLikeEthernet } from './ethernet.js';
import { layer, unread, type Layer } from './layer.js';

const FLAG = { isGtp: 0x10, extensions: 0x04, any: 0x07 } as const;
const USER_DATA = 255;
const HEADER_LENGTH = 8;
const OPTIONAL_LENGTH = 4;
const MAX_EXTENSIONS = 16;

/** GTP-U, version 1 (3GPP TS 29.281): the user data of mobile networks. */
export function readGtpU(bytes: Buffer): Layer | undefined {
  const flags = bytes[0] ?? 0;
  if (bytes.length < HEADER_LENGTH || flags >> 5 !== 1 || (flags & FLAG.isGtp) === 0) return undefined;
  if (bytes.readUInt8(1) !== USER_DATA) return undefined;
  const end = HEADER_LENGTH + bytes.readUInt16BE(2);
  const at = endOfHeader(bytes, flags);
  const payload = at === undefined ? bytes.subarray(0, 0) : bytes.subarray(at, Math.max(at, end));
  const nibble = (payload[0] ?? 0) >> 4;
  if (nibble === 4 || nibble === 6) return layer('ip', payload);
  return isLikeEthernet(payload) ? layer('ethernet', payload) : unread('GTP');
}

/** Undefined if the extension headers (5.2) do not end. */
function endOfHeader(bytes: Buffer, flags: number): number | undefined {
  if ((flags & FLAG.any) === 0) return HEADER_LENGTH;
  let at = HEADER_LENGTH + OPTIONAL_LENGTH;
  if ((flags & FLAG.extensions) === 0) return at;
  // The last byte of each header is the type of the next one, and 0 ends them.
  for (let headers = 0; bytes[at - 1] !== 0; headers++) {
    const length = (bytes[at] ?? 0) * 4;
    if (length === 0 || headers === MAX_EXTENSIONS) return undefined;
    at += length;
  }
  return at;
}
