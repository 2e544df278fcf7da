import { addressKey } from '../media-packet.js';
import { senderTo } from '../side-table.js';
import type { Rule } from './rule.js';

/** What is sent to an address that one side named comes from the other side, whatever NAT does to the source. */
export const destinationAddress: Rule = ({ destination }, { named }) =>
  destination ? named.ownerOf(addressKey(destination)).map(senderTo) : [];
