import { addressKey } from '../media-packet.js';
import { senderTo } from '../side-table.js';
import type { Rule } from './rule.js';

/** An address where packets of a side were seen before, as behind NAT, is that side's until the call is over. */
export const latchedAddress: Rule = ({ source, destination }, { latched }) => [
  ...(source ? latched.ownerOf(addressKey(source)) : []),
  ...(destination ? latched.ownerOf(addressKey(destination)).map(senderTo) : []),
];
