import { withoutAbsent, type Endpoint, type ErrorEvent, type RecordEvent } from '@ringdown/xml-schemas';
import type { SipHeaders, SipMessage } from '../sip/sip-message.js';
import { changesOf, endsOf, otherSide, type AgreedMedium, type Parties, type Side } from '../media/agreed-media.js';
import { CallEvidence } from '../placement/call-evidence.js';
import { DescriptionReader } from './description-reader.js';
import { Offers } from './offers.js';
import { outcomeOf, reasonOf } from './outcome.js';
import { responseSender, identity, endpointOf, requestSender } from './party.js';

export type CallState = 'inviting' | 'active' | 'over';

/**
 * The state of one call by its SIP messages, from the first INVITE to the BYE: messages go in, events for the
 * feed come out. The same message is captured several times, as a retransmission and at each hop; only the first has an
 * effect. Of a forked call the device that answers first counts.
 */
export class Call {
  /** Where its media were seen, at all hops. */
  readonly evidence = new CallEvidence();
  private readonly descriptions = new DescriptionReader();
  private current: CallState = 'inviting';
  private readonly offers = new Offers();
  private callerEnd: Endpoint;
  private calleeEnd: Endpoint;
  private agreed: readonly AgreedMedium[] = [];
  /** The caller's transaction: only its final response reaches the caller. */
  private invitation = { cseq: -1, branch: '' };
  private cancelled: SipHeaders | undefined;
  /** A rejected call may be retried; a call that ended with BYE is over. */
  private hadBye = false;
  /** A rejection after which callers retry, with a password or at another address; held back until it is final. */
  private rejection: ErrorEvent | undefined;

  /** `first`: its INVITE; or a BYE, if the beginning of the call was not captured. */
  constructor(
    first: SipMessage,
    private readonly frontEnd: string,
  ) {
    this.callerEnd = requestSender(first);
    this.calleeEnd = endpointOf(first.to);
  }

  get state(): CallState {
    return this.current;
  }

  get media(): readonly AgreedMedium[] {
    return this.agreed;
  }

  get parties(): Parties {
    return { caller: this.callerEnd, callee: this.calleeEnd };
  }

  /** The events that a message causes, often none. */
  onMessage(message: SipMessage): readonly RecordEvent[] {
    const events = this.process(message);
    this.addEvidence(message);
    return events;
  }

  private process(message: SipMessage): readonly RecordEvent[] {
    if (message.response) return this.onResponse(message, message.response.status);
    switch (message.method) {
      case 'INVITE':
        return message.to.tag === undefined ? this.onInvite(message) : this.onOffer(message);
      case 'UPDATE':
        return this.onOffer(message);
      case 'ACK':
        return this.onAck(message);
      case 'CANCEL':
        if (message.cseq === this.invitation.cseq) this.cancelled ??= message.headers;
        return [];
      case 'BYE':
        return this.onBye(message);
      default:
        return [];
    }
  }

  /** No more messages will follow: returns what was held back. */
  abandon(): readonly RecordEvent[] {
    const held = this.current === 'inviting' && this.rejection ? [this.rejection] : [];
    this.current = 'over';
    return held;
  }

  /** Also of copies: a relay between two hops writes its own addresses. */
  private addEvidence(message: SipMessage): void {
    const sender = this.sideOf(message.from.tag);
    const described = sender && message.response ? otherSide(sender) : sender;
    const description = described && this.descriptions.readNew(message, described);
    if (description) this.evidence.addDescription(description, described);
  }

  private onAck(message: SipMessage): readonly RecordEvent[] {
    return this.applyMedia(this.offers.acknowledge(transactionOf(message, 'INVITE'), this.descriptions.read(message)));
  }

  private onInvite(message: SipMessage): readonly RecordEvent[] {
    const { cseq, from, branch } = message;
    // Copies at later hops have the CSeq of the caller's INVITE; another CSeq is a new try.
    const isNew = from.tag === this.callerEnd.id && cseq > this.invitation.cseq;
    if (!isNew || this.current === 'active' || this.hadBye) return [];
    this.invitation = { cseq, branch };
    this.current = 'inviting';
    this.rejection = undefined;
    this.cancelled = undefined;
    this.agreed = [];
    this.callerEnd = requestSender(message);
    this.calleeEnd = endpointOf(message.to);
    this.offers.add(transactionOf(message), 'caller', this.descriptions.read(message));
    return [{ kind: 'invite', caller: this.callerEnd, callee: this.calleeEnd }];
  }

  private onOffer(message: SipMessage): readonly RecordEvent[] {
    const offerer = this.sideOf(message.from.tag);
    const description = this.descriptions.read(message);
    const isOffer = message.method === 'INVITE' || description !== undefined;
    if (this.current === 'active' && offerer && isOffer) {
      this.offers.add(transactionOf(message), offerer, description);
    }
    return [];
  }

  private onResponse(message: SipMessage, status: number): readonly RecordEvent[] {
    if (message.method !== 'INVITE' && message.method !== 'UPDATE') return [];
    const isInvitation =
      message.method === 'INVITE' && message.cseq === this.invitation.cseq && this.isCallers(message);
    const { tag = '' } = message.to;
    if (status < 200) this.offers.addEarlyAnswer(tag, this.descriptions.read(message));
    else if (status >= 300) return isInvitation ? this.onRejection(message, status) : this.onChangeRejected(message);
    else if (isInvitation) return this.onAnswer(message);
    else return this.applyMedia(this.offers.accept(transactionOf(message), tag, this.descriptions.read(message)));
    return [];
  }

  private onAnswer(message: SipMessage): readonly RecordEvent[] {
    if (this.current !== 'inviting') return [];
    this.current = 'active';
    this.calleeEnd = withoutAbsent({ ...this.calleeEnd, ...responseSender(message) });
    const { tag = '' } = message.to;
    return this.applyMedia(this.offers.accept(transactionOf(message), tag, this.descriptions.read(message)));
  }

  /** Only the caller's transaction counts: in a forked call one device may reject while another answers. */
  private onRejection(message: SipMessage, status: number): readonly RecordEvent[] {
    if (this.current !== 'inviting' || message.branch !== this.invitation.branch) return [];
    this.offers.reject(transactionOf(message));
    const callee = withoutAbsent({ ...identity(this.calleeEnd), id: message.to.tag });
    const rejection: ErrorEvent = {
      kind: 'error',
      endpoints: [identity(this.callerEnd), callee],
      ...outcomeOf(message, this.frontEnd, this.cancelled),
    };
    if (isRetried(status)) {
      this.rejection = rejection;
      return [];
    }
    this.current = 'over';
    return [rejection];
  }

  /** The call continues with its current media. */
  private onChangeRejected(message: SipMessage): readonly RecordEvent[] {
    this.offers.reject(transactionOf(message));
    return [];
  }

  private applyMedia(media: readonly AgreedMedium[] | undefined): readonly RecordEvent[] {
    if (!media || this.current !== 'active') return [];
    const changes = changesOf(this.agreed, media, this.parties);
    this.agreed = media;
    return changes;
  }

  private onBye(message: SipMessage): readonly RecordEvent[] {
    if (this.current === 'over' || !this.isOfThisDialog(message)) return [];
    this.current = 'over';
    this.hadBye = true;
    // The answer was not captured: the BYE names the device.
    this.calleeEnd = { ...this.calleeEnd, ...(this.calleeEnd.id === undefined ? this.calleeOf(message) : {}) };
    const ends = this.agreed.flatMap((medium) => endsOf(medium, this.parties));
    const diagnostics = reasonOf(message.headers, this.frontEnd);
    const endpoints = [identity(this.callerEnd), identity(this.calleeEnd)];
    return [...ends, withoutAbsent({ kind: 'bye' as const, endpoints, diagnostics })];
  }

  /** Another device of a forked call may get its own BYE. */
  private isOfThisDialog({ from, to }: SipMessage): boolean {
    const tags = [from.tag, to.tag];
    const isCalleesToo = this.calleeEnd.id === undefined || tags.includes(this.calleeEnd.id);
    return tags.includes(this.callerEnd.id) && isCalleesToo;
  }

  private calleeOf(message: SipMessage): Endpoint {
    return endpointOf(this.isCallers(message) ? message.to : message.from);
  }

  /** A response has the From of its request. */
  private isCallers(message: SipMessage): boolean {
    return message.from.tag === this.callerEnd.id;
  }

  private sideOf(tag: string | undefined): Side | undefined {
    if (tag === this.callerEnd.id) return 'caller';
    return tag === this.calleeEnd.id ? 'callee' : undefined;
  }
}

function transactionOf({ from, cseq, method }: SipMessage, as = method): string {
  return `${as} ${cseq} ${from.tag ?? ''}`;
}

/** Password required, moved, interval too small: the call is retried with a higher CSeq (RFC 3261, 8.1.3; RFC 4028). */
function isRetried(status: number): boolean {
  return status < 400 || status === 401 || status === 407 || status === 422;
}
