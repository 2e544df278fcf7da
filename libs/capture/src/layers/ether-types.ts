import { layer, unread, type Layer, type LayerName } from './layer.js';

const NEXT: ReadonlyMap<number, LayerName> = new Map([
  [0x08_00, 'ip'],
  [0x86_dd, 'ip'],
  [0x81_00, 'vlan'],
  [0x88_a8, 'vlan'],
  [0x91_00, 'vlan'],
  [0x92_00, 'vlan'],
  [0x88_47, 'mpls'],
  [0x88_48, 'mpls'],
  [0x88_64, 'pppoe'],
  [0x88_0b, 'ppp'],
  [0x65_58, 'ethernet'],
  [0x88_be, 'erspan-2'],
  [0x22_eb, 'erspan-3'],
]);

const UNREAD: ReadonlyMap<number, string> = new Map([
  [0x88_e5, 'MACsec'],
  [0x88_e7, 'PBB (IEEE 802.1ah)'],
  [0x89_4f, 'NSH'],
  [0x89_03, 'FabricPath'],
  [0x22_f3, 'TRILL'],
  [0x89_26, 'VN-Tag'],
  [0x88_3e, 'WCCP'],
]);

/** What an EtherType (IEEE 802) announces. Undefined for others: ARP, LLDP and the like contain no IP packet. */
export function ofEtherType(type: number, bytes: Buffer): Layer | undefined {
  const next = NEXT.get(type);
  if (next !== undefined) return layer(next, bytes);
  const name = UNREAD.get(type);
  return name === undefined ? undefined : unread(name);
}

/** They carry no packets of others: ARP, CDP, EAPOL, LLDP and the like. */
const OWN_ALONE: ReadonlySet<number> = new Set([
  0x08_06, 0x08_42, 0x20_00, 0x80_35, 0x88_08, 0x88_09, 0x88_8e, 0x88_b7, 0x88_cc, 0x88_d9, 0x88_f7, 0x89_02, 0x90_00,
]);
const FIRST_TYPE = 0x06_00;

/** The same for a link, whose EtherType is certain: another type is counted by its number. */
export function ofLinksEtherType(type: number, bytes: Buffer): Layer | undefined {
  const known = ofEtherType(type, bytes);
  if (known || !isEtherType(type) || OWN_ALONE.has(type)) return known;
  return unread(`EtherType ${hexNumber(type)}`);
}

/** Numbers below are lengths, or of the link's own. */
export function isEtherType(type: number): boolean {
  return type >= FIRST_TYPE;
}

export function hexNumber(type: number): string {
  return `0x${type.toString(16).padStart(4, '0')}`;
}

export function isKnownEtherType(type: number): boolean {
  return NEXT.has(type) || UNREAD.has(type);
}

export function isVlanType(type: number): boolean {
  return NEXT.get(type) === 'vlan';
}
