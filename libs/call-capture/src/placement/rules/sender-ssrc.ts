import type { Rule } from './rule.js';

/** The packet has the SSRC of a stream whose sender is known, from `a=ssrc` (RFC 5576) or an earlier packet. */
export const senderSsrc: Rule = ({ ssrcs }, { streams }) => ssrcs.flatMap((ssrc) => streams.sideOf(`${ssrc}`));
