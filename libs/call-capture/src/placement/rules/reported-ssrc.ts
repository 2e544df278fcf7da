import { senderTo } from '../side-table.js';
import type { Rule } from './rule.js';

/** Only the receiver of a stream reports on it (RFC 3550, 6.4.1), so the packet comes from the other side than the stream. */
export const reportedSsrc: Rule = ({ reportedSsrcs }, { streams }) =>
  reportedSsrcs.flatMap((ssrc) => streams.sideOf(`${ssrc}`).map(senderTo));
