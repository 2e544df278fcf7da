import { keptText } from '../collections/kept.js';
import type { SipMessage } from '../sip/sip-message.js';
import { viaCount } from '../sip/via-count.js';

/** IP addresses of a packet, as far as it was captured as one. */
export interface PacketHosts {
  readonly source?: string;
  readonly destination?: string;
}

/** Where an INVITE was captured on its way from the caller. */
export interface InviteHop extends PacketHosts {
  /** Milliseconds since 1970. */
  readonly capturedAt: number;
  readonly vias: number;
  readonly forwards: number | undefined;
}

export function hopOfInvite({ headers }: SipMessage, capturedAt: number, hosts: PacketHosts): InviteHop {
  const written = /^\s*(\d{1,3})\s*$/.exec(headers.first('max-forwards') ?? '')?.[1];
  return {
    ...kept(hosts),
    capturedAt,
    vias: viaCount({ headers }),
    forwards: written === undefined ? undefined : Number(written),
  };
}

/**
 * Whether one of two captured INVITEs of a call is nearer to its caller. Capture points deliver them in any order. Where one was sent to is where
 * the other one came from; proxies add a Via and take one from Max-Forwards (RFC 3261, 16.6), and so do most border controllers with the
 * latter (RFC 7332). Else the one that was on the wire first.
 */
export function isNearerToCaller(one: InviteHop, other: InviteHop, isSameDialog: boolean): boolean {
  if (isSameDialog && one.vias !== other.vias) return one.vias < other.vias;
  const [before, after] = [leadsTo(one, other), leadsTo(other, one)];
  if (before !== after) return before;
  const [left, otherLeft] = [one.forwards ?? 0, other.forwards ?? 0];
  return left === otherLeft ? one.capturedAt < other.capturedAt : left > otherLeft;
}

function leadsTo({ destination }: InviteHop, { source }: InviteHop): boolean {
  return destination !== undefined && destination === source;
}

function kept({ source, destination }: PacketHosts): PacketHosts {
  return {
    ...(source === undefined ? {} : { source: keptText(source) }),
    ...(destination === undefined ? {} : { destination: keptText(destination) }),
  };
}
