import type { Side } from '../media/agreed-media.js';
import type { CallEvidence } from './call-evidence.js';
import type { MediaPacket } from './media-packet.js';
import { cname } from './rules/cname.js';
import { destinationAddress } from './rules/destination-address.js';
import { iceCandidate } from './rules/ice-candidate.js';
import { latchedAddress } from './rules/latched-address.js';
import { nattedAddress } from './rules/natted-address.js';
import { onlyHost } from './rules/only-host.js';
import { reportedSsrc } from './rules/reported-ssrc.js';
import type { Rule } from './rules/rule.js';
import { senderSsrc } from './rules/sender-ssrc.js';
import { sourceAddress } from './rules/source-address.js';
import type { Evidence } from './side-table.js';

/** Why a packet belongs to no side of its call. */
export type PlacementProblem = 'no evidence' | 'contradicting evidence';

export interface Placement {
  /** The side that sent the packet. */
  readonly sender: Side;
  /** The media that it may belong to, by place; none: any of the call. */
  readonly places: ReadonlySet<number>;
  /** Evidence that may teach more: not that of the host alone. */
  readonly isCertain: boolean;
}

/**
 * From the strongest to the weakest: named by the parties, learned from packets placed before, named behind NAT, likely. The strongest
 * evidence that there is decides; if evidence of the same strength contradicts itself, the packet has no place.
 */
const RULES: readonly (readonly Rule[])[] = [
  [sourceAddress, destinationAddress, iceCandidate],
  [senderSsrc, reportedSsrc, cname, latchedAddress],
  [nattedAddress],
  [onlyHost],
];
const LIKELY = RULES.length - 1;

/** The side that sent a packet, and of which medium it is. */
export function placePacket(packet: MediaPacket, known: CallEvidence): Placement | PlacementProblem {
  const found = RULES.map((rules) => rules.flatMap((rule) => rule(packet, known)));
  const strength = found.findIndex((evidence) => evidence.length > 0);
  const [first, ...others] = found[strength] ?? [];
  if (!first) return 'no evidence';
  if (others.some(({ side }) => side !== first.side)) return 'contradicting evidence';
  const agreeing = found.flat().filter(({ side }) => side === first.side);
  return { sender: first.side, places: commonPlaces(agreeing), isCertain: strength < LIKELY };
}

/** Media on one port (BUNDLE, RFC 9143) have the same address: weaker evidence may narrow them. */
function commonPlaces(evidence: readonly Evidence[]): ReadonlySet<number> {
  return evidence.reduce<ReadonlySet<number>>((common, { places }) => {
    if (places.size === 0) return common;
    if (common.size === 0) return places;
    const both = common.intersection(places);
    return both.size === 0 ? common : both;
  }, new Set());
}
