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
}

export function hopOfInvite({ headers }: SipMessage, capturedAt: number, hosts: PacketHosts): InviteHop {
  return { ...kept(hosts), capturedAt, vias: viaCount({ headers }) };
}

/**
 * Whether one of two captured INVITEs of a call is nearer to its caller. Capture points deliver them in any order. Where one was sent to is where
 * the other one came from; proxies add a Via (RFC 3261, 16.6). Else the one that was on the wire first: Max-Forwards does not count, because
 * many back-to-back user agents write 70 anew.
 */
export function isNearerToCaller(one: InviteHop, other: InviteHop, isSameDialog: boolean): boolean {
  if (isSameDialog && one.vias !== other.vias) return one.vias < other.vias;
  const [before, after] = [leadsTo(one, other), leadsTo(other, one)];
  return before === after ? one.capturedAt < other.capturedAt : before;
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
