import { ofEtherType } from './ether-types.js';
import { layer, unread, type Layer } from './layer.js';

const FLAG = { checksum: 0x80_00, routing: 0x40_00, key: 0x20_00, sequence: 0x10_00, acknowledgment: 0x00_80 } as const;
const FIXED_LENGTH = 4;
const PPP = 0x88_0b;
const ERSPAN = 0x88_be;
const KEEP_ALIVE = 0;

/** GRE (RFC 2784, RFC 2890), as NVGRE (RFC 7637), PPTP (RFC 2637) and ERSPAN use it, too. */
export function readGre(bytes: Buffer): Layer | undefined {
  if (bytes.length < FIXED_LENGTH) return unread('GRE');
  const flags = bytes.readUInt16BE(0);
  const type = bytes.readUInt16BE(2);
  const version = flags & 0x07;
  if (version > 1 || (flags & FLAG.routing) !== 0) return unread('GRE');
  const payload = bytes.subarray(FIXED_LENGTH + optionalLength(flags, version));
  if (version === 1) return type === PPP && payload.length > 0 ? layer('ppp', payload) : undefined;
  if (type === KEEP_ALIVE) return undefined;
  // ERSPAN I has no header of its own: it is the one without sequence numbers.
  if (type === ERSPAN && (flags & FLAG.sequence) === 0) return layer('ethernet', payload);
  return ofEtherType(type, payload) ?? unread('GRE');
}

function optionalLength(flags: number, version: number): number {
  const fields = [FLAG.checksum, FLAG.key, FLAG.sequence, ...(version === 1 ? [FLAG.acknowledgment] : [])];
  return fields.filter((flag) => (flags & flag) !== 0).length * 4;
}
