import { keptList, keptText } from '../../collections/kept.js';
import { viaOrigin } from '../../sip/sent-by.js';
import type { SipMessage } from '../../sip/sip-message.js';
import { viaBranches } from '../../sip/vias.js';

/** IP addresses of a packet, as far as it was captured as one. */
export interface PacketHosts {
  readonly source?: string;
  readonly destination?: string;
}

/** Where a request, or a response to it, was captured. The source is that of the request: a response has the same addresses the other way round. */
export interface MessageHop extends PacketHosts {
  /** Milliseconds since 1970. */
  readonly capturedAt: number;
  readonly isResponse: boolean;
  /** Identifies the hop. */
  readonly branch: string;
  /** Of the sender of the request, or of the last hop before this one that hides topology. */
  readonly origin: string | undefined;
  /** The branches of the hops before it, the newest first. */
  readonly passed: readonly string[];
}

/** `message`: its texts are cut out of it; use {@link keptHop} for what stays. */
export function messageHop(message: SipMessage, capturedAt: number, hosts: PacketHosts): MessageHop {
  const isResponse = message.response !== undefined;
  const { source, destination } = hosts;
  const [branch = '', ...passed] = viaBranches(message);
  return {
    ...(isResponse ? withHosts(destination, source) : withHosts(source, destination)),
    capturedAt,
    isResponse,
    branch,
    origin: viaOrigin(message),
    passed,
  };
}

/** A copy that keeps no message in memory. */
export function keptHop({ source, destination, branch, origin, passed, ...hop }: MessageHop): MessageHop {
  return {
    ...hop,
    ...withHosts(source && keptText(source), destination && keptText(destination)),
    branch: keptText(branch),
    origin: origin && keptText(origin),
    passed: keptList(passed.map(keptText)),
  };
}

/**
 * Whether one of two hops of a request, or of the responses to it, is nearer to its sender. Capture points deliver them in any order. If their
 * Via and addresses do not tell, the request was there first, and a response last. Max-Forwards does not count, because many back-to-back
 * user agents write 70 anew.
 */
export function isNearer(one: MessageHop, other: MessageHop): boolean {
  return isKnownNearer(one, other) ?? isByTime(one, other);
}

/**
 * The same; undefined if Via and addresses do not tell. Proxies add a Via (RFC 3261, 16.6), but those that hide topology remove the others,
 * so that numbers of Via are compared only behind the same one. Else, where one was sent to is where the other one came from.
 */
export function isKnownNearer(one: MessageHop, other: MessageHop): boolean | undefined {
  const [vias, otherVias] = [one.passed.length, other.passed.length];
  if (one.origin !== undefined && one.origin === other.origin && vias !== otherVias) return vias < otherVias;
  const [before, after] = [leadsTo(one, other), leadsTo(other, one)];
  return before === after ? undefined : before;
}

function isByTime(one: MessageHop, other: MessageHop): boolean {
  // Further responses to a request, and a request that is sent again, are at the same hop.
  if (one.isResponse !== other.isResponse || one.branch === other.branch) return false;
  return one.isResponse ? one.capturedAt > other.capturedAt : one.capturedAt < other.capturedAt;
}

function leadsTo({ destination }: MessageHop, { source }: MessageHop): boolean {
  return destination !== undefined && destination === source;
}

function withHosts(source: string | undefined, destination: string | undefined): PacketHosts {
  return {
    ...(source === undefined ? {} : { source }),
    ...(destination === undefined ? {} : { destination }),
  };
}
