import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { Endpoint, ErrorEvent, RecordEvent } from '@ringdown/xml-schemas/record';
import type { SipMessage } from '../sip/sip-message.js';
import type { CallState } from './call-state.js';
import type { CallParties } from './call-parties.js';
import type { CallProgress } from './call-progress.js';
import type { PlacedBye } from './ending.js';
import type { Forks } from './messages/forks.js';
import {
  isNearerToCaller,
  isNewTry,
  isOtherCall,
  tagOwner,
  type InvitedCall,
  type KnownInvite,
} from './messages/further-invites.js';
import { Invitation, type HeldEnd } from './invitation.js';
import type { MessageHop } from './messages/message-hop.js';
import type { MediaNegotiation } from './media/media-negotiation.js';
import { reasonInHeaders, rejectionEvent, REQUEST_TERMINATED } from './outcome.js';
import { partyEndpoint } from './party.js';
import { isCompletedElsewhere } from './reason.js';
import { FORWARDED } from './redirection.js';
import { isRetried } from './messages/transaction.js';
import { readTransfer, type Transfer } from './transfer.js';

/** What the setup shares with the rest of the call. */
export interface CallParts {
  readonly ends: CallParties;
  readonly negotiation: MediaNegotiation;
  readonly progress: CallProgress;
  readonly forks: Forks;
  readonly frontEnd: string;
}

/**
 * The setup of one call, from its INVITE to the answer or the rejection, also of each new try. The end of an invitation
 * that may be retried, or that was cancelled, is held back until it is final.
 */
export class CallSetup {
  /** Undefined if the answer was not captured. */
  answeredAt: number | undefined;
  /** Whether the first INVITE was captured. */
  isInvited = false;
  /** What its INVITE names of the transfer that led to it. */
  transfer: Transfer = {};
  private invitation = new Invitation();

  constructor(private readonly parts: CallParts) {}

  get cseq(): number {
    return this.invitation.cseq;
  }

  /** The end that is held back. */
  get held(): HeldEnd | undefined {
    return this.invitation.held;
  }

  /** The INVITE was not captured, but a response to it. */
  adopt(response: SipMessage): void {
    this.invitation = new Invitation(response);
  }

  /** Returns undefined for the copies of an INVITE at other hops. */
  invite(message: SipMessage, hop: MessageHop, state: CallState): RecordEvent | undefined {
    const { ends } = this.parts;
    if (state === 'inviting' && isNearerToCaller(message, hop, this.known)) {
      if (ends.isCallers(message)) return this.follow(message, hop);
      ends.invitedNearer(message, this.cseq);
    } else if (!isNewTry(message, this.known)) {
      this.addHop(message, hop);
      this.addCopy(message, hop);
      return undefined;
    }
    this.begin(message, hop);
    return { kind: 'invite', ...ends.copy() };
  }

  /** Whether an INVITE without To tag begins another call with the same Call-ID. */
  isOtherCall(invite: SipMessage, at: number, { state, hadBye }: Pick<InvitedCall, 'state' | 'hadBye'>): boolean {
    return isOtherCall(invite, at, { ...this.known, state, hadBye, isInvited: this.isInvited });
  }

  /** Whose tags a message has. */
  tagsOf(message: SipMessage, hadBye: boolean): 'parties' | 'hop' | undefined {
    return tagOwner(message, { ...this.known, hadBye, isInvited: this.isInvited });
  }

  private get known(): KnownInvite {
    return { ends: this.parts.ends, invitation: this.invitation };
  }

  private begin(message: SipMessage, hop: MessageHop): void {
    const { ends, negotiation, progress, forks } = this.parts;
    this.invitation = new Invitation(message, hop);
    this.isInvited = true;
    this.transfer = readTransfer(message);
    forks.clear();
    ends.invited(message);
    progress.invited(hop.capturedAt);
    negotiation.restart(message, hop);
  }

  /** The INVITE of a call that is set up already: another hop was faster. */
  addHop(message: SipMessage, hop: MessageHop): void {
    const { ends } = this.parts;
    if (!ends.isCallers(message)) ends.hopTags.add(message, isNearerToCaller(message, hop, this.known));
  }

  private addCopy(message: SipMessage, hop: MessageHop): void {
    if (message.cseq !== this.cseq || this.invitation.includes(message)) return;
    this.invitation.copied(message);
    if (this.parts.ends.isCallers(message)) this.parts.negotiation.addCopy(message, hop);
    this.parts.progress.redirection.copied(message, this.parts.ends.callee.uri);
  }

  /** The same INVITE, captured at a hop behind this one before. */
  private follow(message: SipMessage, hop: MessageHop): undefined {
    const { ends, negotiation } = this.parts;
    this.invitation.follow(message, hop);
    // A hop may have written itself into Via and Contact.
    ends.invited(message);
    negotiation.addCopy(message, hop);
    return undefined;
  }

  /** Whether a response is one to an INVITE of the caller that was not captured. */
  lacksInvite({ method, response, cseq, from }: SipMessage): boolean {
    return method === 'INVITE' && response !== undefined && cseq > this.cseq && from.tag === this.parts.ends.caller.id;
  }

  /** The INVITE follows from its response. */
  assumeInvite(response: SipMessage): RecordEvent {
    const { ends, negotiation, progress, forks } = this.parts;
    this.invitation = new Invitation(response);
    this.isInvited = true;
    forks.clear();
    ends.caller = partyEndpoint(response.from);
    ends.callee = withoutAbsent({ ...partyEndpoint(response.to), id: undefined });
    progress.invited(undefined);
    progress.assume('Invite');
    negotiation.restart();
    return { kind: 'invite', ...ends.copy() };
  }

  /** Whether an ACK shows that the call was answered. */
  isAnsweredBy(ack: SipMessage): boolean {
    return this.parts.ends.isCallers(ack) && this.invitation.isAnsweredBy(ack);
  }

  /** Whether a CANCEL was captured, at any hop. */
  get isCancelled(): boolean {
    return this.invitation.cancelled !== undefined;
  }

  /** Whether a response is on the hop of the caller. */
  isCallersHop(response: SipMessage): boolean {
    return this.invitation.includes(response);
  }

  /** Whether a response is one to the caller's INVITE. */
  isResponse(message: SipMessage): boolean {
    return message.method === 'INVITE' && message.cseq === this.cseq && this.parts.ends.isCallers(message);
  }

  /** A provisional response to the caller's INVITE. */
  onProgress(status: number, at: number): void {
    const { progress, ends } = this.parts;
    if (status > 100) progress.rang(at);
    if (status === FORWARDED) progress.redirection.forwarded(ends.callee.uri, status);
  }

  /** The first device answers. */
  answer(tag: string, callee: Endpoint, at: number): void {
    const { ends, progress, forks } = this.parts;
    this.answeredAt = at;
    progress.rang(at);
    progress.redirection.answered();
    forks.choose(tag);
    ends.callee = withoutAbsent({ ...ends.callee, ...callee });
  }

  /** Often its 487 is not captured, or never sent. An answer may still be on its way. */
  cancel(message: SipMessage, at: number): void {
    if (!this.invitation.onCancel(message)) return;
    const { ends, frontEnd } = this.parts;
    const event = rejectionEvent(message, ends.copy(), frontEnd, message.headers);
    this.invitation.held ??= { event, at, awaits: 'final response' };
  }

  /** Returns whether a BYE before an answer is held back: only the caller may send one in an early dialog (RFC 3261, 15). */
  holdBye(bye: SipMessage, { at, by, isAssumed }: PlacedBye): boolean {
    if (!this.isInvited || by !== 'caller') return false;
    this.invitation.onBye(bye, { event: this.byeOf(bye), at, isAssumed });
    return true;
  }

  byeOf(message: SipMessage): RecordEvent {
    const { ends, frontEnd } = this.parts;
    ends.completeCallee(message);
    const diagnostics = reasonInHeaders(message.headers, frontEnd);
    return withoutAbsent({ kind: 'bye' as const, endpoints: ends.identities(), diagnostics });
  }

  /** Whether an answer comes from a device whose dialog the caller has ended before. */
  isEndedWith(tag: string): boolean {
    return this.invitation.isEndedWith(tag);
  }

  /**
   * Only the caller's transaction counts: in a forked call one device may reject while another answers. Returns undefined
   * if the rejection is not final.
   */
  reject(message: SipMessage, status: number, at: number): ErrorEvent | undefined {
    const { ends, negotiation, progress, frontEnd } = this.parts;
    this.invitation.rejected(message);
    // At any hop: the copy that goes to the caller may be captured after the INVITE that it leads to.
    if (status < 400) progress.redirection.redirected(message, ends.callee.uri, status);
    if (!this.invitation.includes(message)) return undefined;
    if (status >= 400) progress.redirection.answered();
    negotiation.reject(message);
    const event = rejectionEvent(message, ends.copy(), frontEnd, this.invitation.cancelled);
    const isElsewhere = isCompletedElsewhere(message.headers);
    if (!isElsewhere && this.invitation.isCancelledByCaller(status)) progress.ended('caller');
    if (isRetried(status)) {
      this.invitation.held = { event, at, awaits: 'retry' };
      return undefined;
    }
    if (this.invitation.isAssumed) {
      this.invitation.held = { event, at, awaits: 'final response' };
      return undefined;
    }
    this.invitation.held = undefined;
    return event;
  }

  /** Nothing follows: returns the end that was held back, which is final now. */
  endHeld(): HeldEnd | undefined {
    const { held } = this.invitation;
    const isCancel = held?.awaits === 'final response';
    if (isCancel && this.invitation.isCancelledByCaller(REQUEST_TERMINATED)) this.parts.progress.ended('caller');
    if (held?.isAssumed === true) this.parts.progress.assume('Bye');
    this.invitation.held = undefined;
    return held;
  }
}
