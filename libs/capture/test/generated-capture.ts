import type { WrittenFrame } from './write-pcap.js';

/** A capture that a test has written, with what is in it. */
export interface GeneratedCapture {
  readonly name: string;
  readonly linkType: number;
  readonly frames: readonly WrittenFrame[];
  /** How many SIP messages the reader returns. */
  readonly messages: number;
  /** What the reader reports. */
  readonly notRead: readonly string[];
  /** tshark waits for lost segments if it is to order them. */
  readonly hasLostSegments?: true;
  /** Why tshark reads something else; its list is not compared then. */
  readonly differs?: string;
}

export const AT = 1_760_000_000_000;
export const CALLER = { ip: '192.0.2.10', port: 5_062 };
export const CALLEE = { ip: '192.0.2.1', port: 5_060 };
export const CALLER6 = { ip: '2001:db8::10', port: 5_062 };
export const CALLEE6 = { ip: '2001:db8::1', port: 5_060 };
