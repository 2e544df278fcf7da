import { withoutAbsent, type Endpoint, type ErrorEvent, type RecordEvent } from '@ringdown/xml-schemas';
import type { SipHeaders, SipMessage } from '../sip/sip-message.js';
import { otherSide, type AgreedMedium, type Parties, type Side } from '../media/agreed-media.js';
import { CallEvidence } from '../placement/call-evidence.js';
import { CallStreams } from './call-streams.js';
import { DescriptionReader } from './description-reader.js';
import { Forks, type AnsweredFork } from './forks.js';
import { Offers } from './offers.js';
import { outcomeOf, reasonOf } from './outcome.js';
import { responseSender, identity, endpointOf, requestSender } from './party.js';
import { isRetried, transactionKey, transactionOf } from './transaction.js';

export type CallState = 'inviting' | 'active' | 'over';

/** What a message reports: the events of one record. */
export interface Report {
  readonly events: readonly RecordEvent[];
  /** When they happened, if it was before the message; milliseconds since 1970. */
  readonly at?: number;
}

/**
 * The state of one call by its SIP messages, from the first INVITE to the BYE: messages go in, events for the
 * feed come out. The same message is captured several times, as a retransmission and at each hop; only the first has an
 * effect. Of a forked call the device that answers first counts, or the one that the caller keeps.
 */
export class Call {
  /** Where its media were seen, at all hops. */
  readonly evidence = new CallEvidence();
  private readonly descriptions = new DescriptionReader();
  private current: CallState = 'inviting';
  private readonly offers = new Offers();
  private callerEnd: Endpoint;
  private calleeEnd: Endpoint;
  private streams = new CallStreams();
  private readonly forks = new Forks();
  /** When the call was answered; undefined if that was not captured. */
  private answeredAt: number | undefined;
  /** The start was not captured. */
  private isAdopted = false;
  /** The caller's transaction: only its final response reaches the caller. */
  private invitation = { cseq: -1, branch: '' };
  private cancelled: SipHeaders | undefined;
  /** A rejected call may be retried; a call that ended with BYE is over. */
  private hadBye = false;
  /** A rejection after which callers retry, with a password or at another address; held back until it is final. */
  private rejection: ErrorEvent | undefined;

  /** `first`: its INVITE; or a message of a later time, if the beginning of the call was not captured. */
  constructor(
    first: SipMessage,
    private readonly frontEnd: string,
  ) {
    this.callerEnd = requestSender(first);
    this.calleeEnd = endpointOf(first.to);
    if (first.method === 'INVITE' && first.to.tag !== undefined) this.adopt(first);
  }

  get state(): CallState {
    return this.current;
  }

  get media(): readonly AgreedMedium[] {
    return this.streams.media;
  }

  get parties(): Parties {
    return { caller: this.callerEnd, callee: this.calleeEnd };
  }

  /** What a message reports, often nothing. `at`: the time of its capture. */
  onMessage(message: SipMessage, at: number): readonly Report[] {
    const reports = this.process(message, at);
    this.addEvidence(message);
    return reports;
  }

  private process(message: SipMessage, at: number): readonly Report[] {
    if (message.method === 'BYE' && !message.response) return this.onBye(message);
    const events = message.response ? this.onResponse(message, message.response.status, at) : this.onRequest(message);
    return events.length > 0 ? [{ events }] : [];
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

  private onRequest(message: SipMessage): readonly RecordEvent[] {
    switch (message.method) {
      case 'INVITE':
        return message.to.tag === undefined ? this.onInvite(message) : this.onOffer(message);
      case 'UPDATE':
        return this.onOffer(message);
      case 'ACK':
        return this.onAcknowledgement(message);
      case 'CANCEL':
        // A proxy cancels the other devices of a forked call with transactions of its own (RFC 3261, 9.1).
        if (message.branch === this.invitation.branch) this.cancelled ??= message.headers;
        return [];
      default:
        return [];
    }
  }

  /** A request within the call, or the answer to an INVITE that was not captured: the call is active. */
  private adopt(first: SipMessage): void {
    this.current = 'active';
    this.isAdopted = true;
    this.streams = new CallStreams(true);
    if (!first.response) return;
    this.callerEnd = endpointOf(first.from);
    this.calleeEnd = responseSender(first);
    this.invitation = { cseq: first.cseq, branch: first.branch };
    const own = this.descriptions.read(first);
    if (own) this.offers.add(transactionOf(first), 'callee', own);
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
    this.streams = new CallStreams();
    this.forks.clear();
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

  private onResponse(message: SipMessage, status: number, at: number): readonly RecordEvent[] {
    if (message.method !== 'INVITE' && message.method !== 'UPDATE') return [];
    const isInvitation =
      message.method === 'INVITE' && message.cseq === this.invitation.cseq && this.isCallers(message);
    const { tag = '' } = message.to;
    if (status < 200) this.onProgress(message, tag);
    else if (status >= 300) return isInvitation ? this.onRejection(message, status) : this.onChangeRejected(message);
    else if (isInvitation) return this.onAnswer(message, tag, at);
    else if (!this.forks.has(tag))
      return this.applyMedia(this.offers.accept(transactionOf(message), tag, this.descriptions.read(message)));
    return [];
  }

  private onProgress(message: SipMessage, tag: string): void {
    if (this.current === 'inviting' && tag !== '') this.forks.ring(tag);
    this.offers.addEarlyAnswer(tag, this.descriptions.read(message));
  }

  private onAnswer(message: SipMessage, tag: string, at: number): readonly RecordEvent[] {
    if (this.current === 'over') return [];
    const transaction = transactionOf(message);
    if (this.isAdopted) return this.applyMedia(this.offers.oneSided(transaction, tag));
    const media = this.offers.accept(transaction, tag, this.descriptions.read(message));
    const callee = withoutAbsent({ ...identity(this.calleeEnd), ...responseSender(message) });
    if (this.current === 'active') {
      if (tag !== this.calleeEnd.id) this.forks.answer(tag, { callee, media: media ?? [] });
      return [];
    }
    this.current = 'active';
    this.answeredAt = at;
    this.forks.end(tag);
    this.calleeEnd = withoutAbsent({ ...this.calleeEnd, ...callee });
    return !media && this.offers.awaitsAck(transaction, tag) ? [] : this.start(media, transaction);
  }

  /** It may contain the answer to the offer of the response. */
  private onAcknowledgement(message: SipMessage): readonly RecordEvent[] {
    const { tag = '' } = message.to;
    const transaction = transactionOf(message, 'INVITE');
    const media = this.offers.acknowledge(transaction, tag, this.descriptions.read(message));
    const isStart = this.current === 'active' && !this.streams.hasStarted && message.cseq === this.invitation.cseq;
    return isStart ? this.start(media, transaction) : this.applyMedia(media);
  }

  /** Without a session description of one side, its addresses are unknown. */
  private start(media: readonly AgreedMedium[] | undefined, transaction: string): readonly RecordEvent[] {
    const known = media ?? this.offers.oneSided(transaction, this.calleeEnd.id ?? '');
    return this.streams.start(known, this.parties);
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
    return this.current === 'active' ? this.streams.change(media, this.parties) : [];
  }

  private onBye(message: SipMessage): readonly Report[] {
    if (this.current === 'over' || !this.isEnd(message)) return [];
    const kept = this.forks.answered;
    if (kept) return [{ events: this.continueWith(kept) }];
    const missed = this.missedStart();
    this.current = 'over';
    this.hadBye = true;
    // The answer was not captured: the BYE names the device.
    this.calleeEnd = { ...this.calleeEnd, ...(this.calleeEnd.id === undefined ? this.calleeOf(message) : {}) };
    const ends = this.streams.ends(this.parties);
    const diagnostics = reasonOf(message.headers, this.frontEnd);
    const endpoints = [identity(this.callerEnd), identity(this.calleeEnd)];
    return [...missed, { events: [...ends, withoutAbsent({ kind: 'bye' as const, endpoints, diagnostics })] }];
  }

  /** The start of an answered call whose ACK, with the answer to the offer, was not captured. */
  private missedStart(): readonly Report[] {
    if (this.current !== 'active' || this.streams.hasStarted) return [];
    const events = this.start(undefined, transactionKey('INVITE', this.invitation.cseq, this.callerEnd.id));
    return [withoutAbsent({ events, at: this.answeredAt })];
  }

  /** The caller has ended the dialog with the device that answered first, and keeps another one. */
  private continueWith({ callee, media }: AnsweredFork): readonly RecordEvent[] {
    const before = this.parties;
    this.forks.end(callee.id ?? '');
    this.forks.ring(this.calleeEnd.id ?? '');
    this.calleeEnd = callee;
    return this.streams.replace(media, before, this.parties);
  }

  /**
   * Whether a BYE ends the dialog that has the call. Another device of a forked call may get its own BYE. A To tag that
   * fits no device is the mistake of its sender: the only dialog of Call-ID and From tag ends.
   */
  private isEnd({ from, to }: SipMessage): boolean {
    const tags = [from.tag, to.tag];
    const { id: caller } = this.callerEnd;
    const { id: callee } = this.calleeEnd;
    const device = (from.tag === caller ? to.tag : from.tag) ?? '';
    if (callee === undefined) return tags.includes(caller);
    if (device === callee) return true;
    const isOther = this.forks.has(device);
    if (isOther) this.forks.end(device);
    return !isOther && from.tag === caller && this.forks.answered === undefined;
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
