import { addressKey } from '../media-packet.js';
import type { Rule } from './rule.js';

/** The sender's session description, as the sender or a relay wrote it, names the source: RTP or RTCP port. */
export const sourceAddress: Rule = ({ source }, { named }) => (source ? named.ownerOf(addressKey(source)) : []);
