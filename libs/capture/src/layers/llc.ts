import { ofLinksEtherType } from './ether-types.js';
import { layer, type Layer } from './layer.js';

const SNAP = 0xaa_aa_03;
const IP = 0x06_06_03;
const HEADER_LENGTH = 3;
const SNAP_LENGTH = 8;
const OUI = { etherType: 0x00_00_00, appleTalk: 0x00_00_f8, bridged: 0x00_80_c2 } as const;
/** Bridged Ethernet (RFC 2684), with and without a frame check sequence. */
const BRIDGED: ReadonlySet<number> = new Set([0x00_01, 0x00_07]);

/** LLC (IEEE 802.2), with SNAP (RFC 1042) before most IP packets. */
export function readLlc(bytes: Buffer): Layer | undefined {
  if (bytes.length < SNAP_LENGTH) return undefined;
  const head = bytes.readUIntBE(0, 3);
  if (head === IP) return layer('ip', bytes.subarray(HEADER_LENGTH));
  if (head !== SNAP) return undefined;
  const oui = bytes.readUIntBE(3, 3);
  const type = bytes.readUInt16BE(6);
  const payload = bytes.subarray(SNAP_LENGTH);
  if (oui === OUI.etherType || oui === OUI.appleTalk) return ofLinksEtherType(type, payload);
  return oui === OUI.bridged && BRIDGED.has(type) ? layer('ethernet', payload) : undefined;
}
