import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { Endpoint } from '@ringdown/xml-schemas/record';
import type { Parties, Side } from '../media/agreed-media.js';
import type { SipMessage } from '../sip/sip-message.js';
import { viaOrigin } from '../sip/sent-by.js';
import { keptText } from '../collections/kept.js';
import { HopTags } from './messages/hop-tags.js';
import { partyEndpoint, identity, requestSender, responseSender } from './party.js';

/** Who calls, and which device has the call. */
export class CallParties implements Parties {
  caller: Endpoint;
  callee: Endpoint;
  /** At later hops. */
  readonly hopTags = new HopTags();
  /** What the caller writes into Via; undefined: its INVITE was not captured. */
  private callersOrigin: string | undefined;
  /** The tag that records have of the caller, if a dialog that is nearer to it was captured later. */
  private reportedTag: string | undefined;

  constructor(first: SipMessage) {
    const isAnswer = first.response !== undefined;
    this.caller = isAnswer ? partyEndpoint(first.from) : requestSender(first);
    this.callee = isAnswer ? responseSender(first) : partyEndpoint(first.to);
  }

  /** A new INVITE of the caller. */
  invited(invite: SipMessage): void {
    if (!this.isCallers(invite)) this.reportedTag = undefined;
    this.setInvite(invite);
  }

  /** The same INVITE, nearer to the caller than it was captured before, in a dialog of its own. `before`: CSeq of the farther one. */
  invitedNearer(invite: SipMessage, before: number): void {
    this.hopTags.replaceOwn(invite, this, before);
    this.reportedTag ??= this.caller.id;
    this.setInvite(invite);
  }

  private setInvite(invite: SipMessage): void {
    this.caller = requestSender(invite);
    this.callee = partyEndpoint(invite.to);
    const origin = viaOrigin(invite);
    this.callersOrigin = origin === undefined ? undefined : keptText(origin);
  }

  /** Who sent a request, by the Via that its sender wrote. */
  sideByVia(message: SipMessage): Side | undefined {
    const origin = this.callersOrigin === undefined ? undefined : viaOrigin(message);
    if (origin === undefined) return undefined;
    return origin === this.callersOrigin ? 'caller' : 'callee';
  }

  /** As records name them; independent of later changes. */
  copy(): Parties {
    const { caller, callee, reportedTag } = this;
    return { caller: reportedTag === undefined ? caller : { ...caller, id: reportedTag }, callee };
  }

  identities(): readonly Endpoint[] {
    const { caller, callee } = this.copy();
    return [identity(caller), identity(callee)];
  }

  /** The device that sent the response. */
  answering(message: SipMessage): Endpoint {
    return withoutAbsent({ ...identity(this.callee), ...responseSender(message) });
  }

  /** The answer was not captured: a request names the device. */
  completeCallee(message: SipMessage): void {
    if (this.callee.id !== undefined) return;
    this.callee = { ...this.callee, ...partyEndpoint(this.isCallers(message) ? message.to : message.from) };
  }

  /** A response has the From of its request. */
  isCallers(message: SipMessage): boolean {
    return message.from.tag === this.caller.id;
  }

  /** Outside of the dialog, only its address identifies the sender. */
  senderOf({ from, to }: SipMessage): Side | undefined {
    if (to.tag !== undefined || this.caller.uri === this.callee.uri) return this.sideOf(from.tag);
    const { uri } = partyEndpoint(from);
    if (uri === this.caller.uri) return 'caller';
    return uri === this.callee.uri ? 'callee' : undefined;
  }

  sideOf(tag: string | undefined): Side | undefined {
    if (tag === this.caller.id) return 'caller';
    return tag === this.callee.id ? 'callee' : undefined;
  }
}
