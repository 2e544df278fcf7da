import type { Rule } from './rule.js';

/** The host of the source is that of one side only, with another port: a phone that sends from other ports than it names. */
export const onlyHost: Rule = ({ source }, { hosts }) => (source ? hosts.ownerOf(source.ip) : []);
