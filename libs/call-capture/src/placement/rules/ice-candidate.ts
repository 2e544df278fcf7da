import { addressKey } from '../media-packet.js';
import { senderTo } from '../side-table.js';
import type { Rule } from './rule.js';

/** Source or destination is a candidate of a side (RFC 8839, 5.1), or one that the other side chose (5.2). */
export const iceCandidate: Rule = ({ source, destination }, { candidates }) => [
  ...(source ? candidates.ownerOf(addressKey(source)) : []),
  ...(destination ? candidates.ownerOf(addressKey(destination)).map(senderTo) : []),
];
