import { addressKey } from '../media-packet.js';
import { senderTo } from '../side-table.js';
import type { Rule } from './rule.js';

/** The port of a private address in a session description, at the public address of its sender. */
export const nattedAddress: Rule = ({ source, destination }, { natted }) => [
  ...(source ? natted.ownerOf(addressKey(source)) : []),
  ...(destination ? natted.ownerOf(addressKey(destination)).map(senderTo) : []),
];
