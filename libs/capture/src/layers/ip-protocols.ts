import { layer, unread, type Layer, type LayerName } from './layer.js';

export const PROTOCOL = { tcp: 6, udp: 17, sctp: 132 } as const;

/** Tunnels by their protocol number in the header of IP (iana.org/assignments/protocol-numbers). */
const NEXT: ReadonlyMap<number, LayerName> = new Map([
  [4, 'ip'],
  [41, 'ip'],
  [47, 'gre'],
  [97, 'etherip'],
  [137, 'mpls'],
]);
const UNREAD: ReadonlyMap<number, string> = new Map([
  [50, 'IPsec (ESP)'],
  [55, 'Mobile IP'],
  [108, 'IPComp'],
  [115, 'L2TP version 3'],
]);

/** They carry no packets of others: ICMP, IGMP, no next header, and ICMP of IPv6. */
const OWN_ALONE: ReadonlySet<number> = new Set([1, 2, 58, 59]);
const TRANSPORTS: ReadonlySet<number> = new Set(Object.values(PROTOCOL));
/** Names of some others. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [33, 'DCCP'],
  [46, 'RSVP'],
  [88, 'EIGRP'],
  [89, 'OSPF'],
  [103, 'PIM'],
  [112, 'VRRP'],
  [136, 'UDP-Lite'],
]);

/** The tunnel in an IP packet, or the name of a protocol that is not read. Undefined for others. */
export function tunnelInIp(protocol: number, bytes: Buffer): Layer | undefined {
  const next = NEXT.get(protocol);
  if (next !== undefined) return layer(next, bytes);
  const name = UNREAD.get(protocol);
  if (name !== undefined) return unread(name);
  return TRANSPORTS.has(protocol) || OWN_ALONE.has(protocol) ? undefined : unread(describeProtocol(protocol));
}

function describeProtocol(protocol: number): string {
  const name = NAMES.get(protocol);
  return name === undefined ? `IP protocol ${protocol}` : `IP protocol ${protocol} (${name})`;
}
