import type { LayerName } from './layer.js';

/** What a frame of this link type begins with (tcpdump.org/linktypes.html). */
const FIRST: ReadonlyMap<number, LayerName> = new Map([
  [0, 'loopback'],
  [1, 'ethernet'],
  [9, 'hdlc'],
  [12, 'ip'],
  [14, 'ip'],
  [50, 'hdlc'],
  [51, 'pppoe'],
  [100, 'llc'],
  [101, 'ip'],
  [104, 'hdlc'],
  [105, 'ieee80211'],
  [108, 'loopback'],
  [113, 'cooked'],
  [127, 'radiotap'],
  [166, 'ppp-direction'],
  [204, 'ppp-direction'],
  [219, 'mpls'],
  [228, 'ip'],
  [229, 'ip'],
  [239, 'nflog'],
  [276, 'cooked-2'],
]);

/** Names of others that capture tools write. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [10, 'FDDI'],
  [119, 'IEEE 802.11 with Prism header'],
  [163, 'IEEE 802.11 with AVS header'],
  [189, 'USB'],
  [192, 'PPI'],
  [220, 'USB'],
  [249, 'USB'],
  [252, 'Wireshark upper PDU'],
  [253, 'netlink'],
]);

/** Undefined if frames of this link type cannot be read. */
export function firstLayer(linkType: number): LayerName | undefined {
  return FIRST.get(linkType);
}

/** For messages: the number, with the name in brackets if it is known. */
export function describeLink(linkType: number): string {
  const name = NAMES.get(linkType);
  return name === undefined ? `link type ${linkType}` : `link type ${linkType} (${name})`;
}
