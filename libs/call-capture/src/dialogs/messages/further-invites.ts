import type { SipMessage } from '../../sip/sip-message.js';
import type { CallParties } from '../call-parties.js';
import type { CallState } from '../call-state.js';
import type { Invitation } from '../invitation.js';
import { isNearer, type MessageHop } from './message-hop.js';
import { isInvitation } from '../opens-call.js';
import { partyEndpoint } from '../party.js';

/** The INVITE that counts so far. */
export interface KnownInvite {
  readonly ends: CallParties;
  readonly invitation: Invitation;
}

/** What a call is when another INVITE with its Call-ID comes. */
export interface InvitedCall extends KnownInvite {
  readonly state: CallState;
  readonly hadBye: boolean;
  /** Its INVITE was captured. */
  readonly isInvited: boolean;
}

/** Whether an INVITE without To tag, captured `at` this time, begins another call with the same Call-ID, and is no copy and no new try. */
export function isOtherCall(invite: SipMessage, at: number, call: InvitedCall): boolean {
  const { ends, invitation, state } = call;
  const { tag } = invite.from;
  if (ends.hopTags.of(tag) !== undefined || ends.sideOf(tag) !== undefined) return usesTagAgain(invite, call);
  if (state !== 'inviting') return !(isOtherHop(invite, ends) && invitation.isAtOnce(at));
  if (invitation.held?.awaits === 'retry' && isNewTry(invite, call)) return false;
  // A back-to-back user agent may keep the Call-ID; the same phone does not invite twice for one call.
  return ends.sideByVia(invite) === 'caller';
}

/** Whether an INVITE with a tag of the call, or of a hop of it, begins another call after its BYE. */
function usesTagAgain({ from: { tag }, cseq }: SipMessage, call: Omit<InvitedCall, 'state'>): boolean {
  const { ends, invitation, hadBye, isInvited } = call;
  const known = ends.sideOf(tag) === undefined ? ends.hopTags.of(tag)?.cseq : invitation.cseq;
  return hadBye && isInvited && known !== undefined && cseq > known;
}

/** Whose tags a message has: of the parties, or of a hop with tags of its own. Undefined also for another call after the BYE. */
export function tagOwner(message: SipMessage, call: Omit<InvitedCall, 'state'>): 'parties' | 'hop' | undefined {
  if (isInvitation(message) && usesTagAgain(message, call)) return undefined;
  const tags = [message.from.tag, message.to.tag].filter((tag) => tag !== undefined);
  if (tags.some((tag) => call.ends.sideOf(tag) !== undefined)) return 'parties';
  return tags.some((tag) => call.ends.hopTags.of(tag) !== undefined) ? 'hop' : undefined;
}

/** Copies at other hops have the CSeq of the caller's INVITE; another CSeq is a new try. */
export function isNewTry(invite: SipMessage, { ends, invitation }: KnownInvite): boolean {
  if (ends.isCallers(invite)) return invite.cseq > invitation.cseq;
  if (ends.hopTags.of(invite.from.tag) !== undefined) return false;
  // Phones use a new tag, though they should keep the first one (RFC 3261, 8.1.3.5).
  return invitation.held?.awaits === 'retry' && partyEndpoint(invite.from).uri === ends.caller.uri;
}

/** Whether an INVITE was captured nearer to the caller than the one that counts so far. */
export function isNearerToCaller(invite: SipMessage, hop: MessageHop, { ends, invitation }: KnownInvite): boolean {
  const { hop: known, cseq } = invitation;
  if (known === undefined || invitation.includes(invite)) return false;
  if (ends.isCallers(invite) ? invite.cseq !== cseq : !isOtherHop(invite, ends)) return false;
  return isNearer(hop, known);
}

/** Whether an INVITE with another tag is that of a hop that was not captured so far. */
function isOtherHop(invite: SipMessage, ends: CallParties): boolean {
  return ends.hopTags.of(invite.from.tag) === undefined && ends.sideByVia(invite) !== 'caller';
}
