import type { Rule } from './rule.js';

/** A name stays the same when the SSRC changes (RFC 3550, 6.5.1). It is of all media of its sender. */
export const cname: Rule = ({ cnames }, known) => cnames.flatMap((name) => known.cnames.sideOf(name));
