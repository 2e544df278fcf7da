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

/** The tunnel in an IP packet, if it contains one. */
export function tunnelInIp(protocol: number, bytes: Buffer): Layer | undefined {
  const next = NEXT.get(protocol);
  if (next !== undefined) return layer(next, bytes);
  const name = UNREAD.get(protocol);
  return name === undefined ? undefined : unread(name);
}
