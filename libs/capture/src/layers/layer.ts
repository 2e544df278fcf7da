/** The headers that can follow another one. Those that follow UDP are in udp-tunnels.ts. */
export type LayerName =
  | 'ethernet'
  | 'vlan'
  | 'llc'
  | 'ip'
  | 'mpls'
  | 'ppp'
  | 'pppoe'
  | 'gre'
  | 'etherip'
  | 'erspan-2'
  | 'erspan-3'
  | 'ieee80211'
  | 'ieee80211-padded'
  | 'radiotap'
  | 'nflog'
  | 'cooked'
  | 'cooked-2'
  | 'hdlc'
  | 'ppp-direction'
  | 'loopback';

/** What a header says about the bytes after it: the next header, or the name of a protocol that is not read. */
export type Layer = { readonly next: LayerName; readonly bytes: Buffer } | { readonly unread: string };

/** Reads one header. Undefined: the bytes are not such a header, or no IP packet follows. Pure; trusts no length. */
export type LayerReader = (bytes: Buffer) => Layer | undefined;

export function layer(next: LayerName, bytes: Buffer): Layer {
  return { next, bytes };
}

/** The rest is counted under this name. */
export function unread(name: string): Layer {
  return { unread: name };
}
