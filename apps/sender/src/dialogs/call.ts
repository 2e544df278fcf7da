import { withoutAbsent, type ErrorEvent, type Extensions, type RecordEvent } from '@ringdown/xml-schemas';
import type { SipHeaders, SipMessage } from '../sip/sip-message.js';
import { otherSide, type AgreedMedium, type Parties } from '../media/agreed-media.js';
import { CallEvidence } from '../placement/call-evidence.js';
import { CallParties } from './call-parties.js';
import { CallProgress } from './call-progress.js';
import { CallStreams } from './call-streams.js';
import { DescriptionReader } from './description-reader.js';
import { endsCall } from './ending.js';
import { Forks, type AnsweredFork } from './forks.js';
import { Offers } from './offers.js';
import { reasonOf, rejectionOf } from './outcome.js';
import { endpointOf, requestSender } from './party.js';
import { isRetried, transactionKey, transactionOf } from './transaction.js';
import { transferOf, type Transfer } from './transfer.js';

export type CallState = 'inviting' | 'active' | 'over';

/** What a message reports: the events of one record. */
export interface Report {
  readonly events: readonly RecordEvent[];
  /** When they happened, if it was before the message; milliseconds since 1970. */
  readonly at?: number;
  /** Of the record as a whole. */
  readonly extensions?: Extensions;
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
  private readonly ends: CallParties;
  private readonly progress = new CallProgress();
  /** What its INVITE names of the transfer that led to it. */
  private transfer: Transfer = {};
  private streams = new CallStreams();
  private readonly forks = new Forks();
  /** When the call was answered; undefined if that was not captured. */
  private answeredAt: number | undefined;
  private endedAt: number | undefined;
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
    this.ends = new CallParties(first);
    if (first.method === 'INVITE' && first.to.tag !== undefined) this.adopt(first);
  }

  get state(): CallState {
    return this.current;
  }

  get media(): readonly AgreedMedium[] {
    return this.streams.media;
  }

  /** As far as they were captured; milliseconds since 1970. */
  get times(): { readonly answeredAt: number | undefined; readonly endedAt: number | undefined } {
    return { answeredAt: this.answeredAt, endedAt: this.endedAt };
  }

  get parties(): Parties {
    return this.ends.copy();
  }

  /** What a message reports, often nothing. `at`: the time of its capture. */
  onMessage(message: SipMessage, at: number): readonly Report[] {
    const reports = this.process(message, at);
    this.addEvidence(message);
    return reports;
  }

  private process(message: SipMessage, at: number): readonly Report[] {
    if (message.method === 'BYE' && !message.response) return this.onBye(message, at);
    const events = message.response
      ? this.onResponse(message, message.response.status, at)
      : this.onRequest(message, at);
    return this.report(events, at);
  }

  private report(events: readonly RecordEvent[], at: number): readonly Report[] {
    if (events.length === 0) return [];
    const transferred = events.map((event) => (event.kind === 'start' ? { ...event, ...this.transfer } : event));
    return [withoutAbsent({ events: transferred, at, extensions: this.progress.extensionsFor(events, at) })];
  }

  /** No more messages will follow: returns what was held back. */
  abandon(at: number): readonly Report[] {
    const held = this.current === 'inviting' && this.rejection ? [this.rejection] : [];
    this.current = 'over';
    return this.report(held, at);
  }

  /** Also of copies: a relay between two hops writes its own addresses. */
  private addEvidence(message: SipMessage): void {
    const sender = this.ends.sideOf(message.from.tag);
    const described = sender && message.response ? otherSide(sender) : sender;
    const description = described && this.descriptions.readNew(message, described);
    if (description) this.evidence.addDescription(description, described);
  }

  private onRequest(message: SipMessage, at: number): readonly RecordEvent[] {
    switch (message.method) {
      case 'INVITE':
        return message.to.tag === undefined ? this.onInvite(message, at) : this.onOffer(message);
      case 'UPDATE':
        return this.onOffer(message);
      case 'ACK':
        return this.onAcknowledgement(message);
      case 'CANCEL':
        // A proxy cancels the other devices of a forked call with transactions of its own (RFC 3261, 9.1).
        if (message.branch === this.invitation.branch) this.cancelled ??= message.headers;
        return [];
      case 'REFER':
        this.progress.referred(message, this.ends.sideOf(message.from.tag));
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
    this.invitation = { cseq: first.cseq, branch: first.branch };
    const own = this.descriptions.read(first);
    if (own) this.offers.add(transactionOf(first), 'callee', own);
  }

  private onInvite(message: SipMessage, at: number): readonly RecordEvent[] {
    const { cseq, branch } = message;
    // Copies at later hops have the CSeq of the caller's INVITE; another CSeq is a new try.
    const isNew = this.ends.isCallers(message) && cseq > this.invitation.cseq;
    if (!isNew || this.current === 'active' || this.hadBye) return [];
    this.invitation = { cseq, branch };
    this.current = 'inviting';
    this.rejection = undefined;
    this.cancelled = undefined;
    this.streams = new CallStreams();
    this.forks.clear();
    this.ends.caller = requestSender(message);
    this.ends.callee = endpointOf(message.to);
    this.transfer = transferOf(message);
    this.progress.invited(at);
    this.offers.add(transactionOf(message), 'caller', this.descriptions.read(message));
    return [{ kind: 'invite', ...this.parties }];
  }

  private onOffer(message: SipMessage): readonly RecordEvent[] {
    const offerer = this.ends.sideOf(message.from.tag);
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
      message.method === 'INVITE' && message.cseq === this.invitation.cseq && this.ends.isCallers(message);
    const { tag = '' } = message.to;
    if (status < 200) this.onProgress(message, tag, status > 100 && isInvitation ? at : undefined);
    else if (status >= 300) return isInvitation ? this.onRejection(message, status) : this.onChangeRejected(message);
    else if (isInvitation) return this.onAnswer(message, tag, at);
    else if (!this.forks.has(tag))
      return this.applyMedia(this.offers.accept(transactionOf(message), tag, this.descriptions.read(message)));
    return [];
  }

  private onProgress(message: SipMessage, tag: string, ringingAt: number | undefined): void {
    if (ringingAt !== undefined) this.progress.rang(ringingAt);
    if (this.current === 'inviting' && tag !== '') this.forks.ring(tag);
    this.offers.addEarlyAnswer(tag, this.descriptions.read(message));
  }

  private onAnswer(message: SipMessage, tag: string, at: number): readonly RecordEvent[] {
    if (this.current === 'over') return [];
    const transaction = transactionOf(message);
    if (this.isAdopted) return this.applyMedia(this.offers.oneSided(transaction, tag));
    const media = this.offers.accept(transaction, tag, this.descriptions.read(message));
    const callee = this.ends.answering(message);
    if (this.current === 'active') {
      if (tag !== this.ends.callee.id) this.forks.answer(tag, { callee, media: media ?? [] });
      return [];
    }
    this.current = 'active';
    this.answeredAt = at;
    this.progress.rang(at);
    this.forks.choose(tag);
    this.ends.callee = withoutAbsent({ ...this.ends.callee, ...callee });
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
    const known = media ?? this.offers.oneSided(transaction, this.ends.callee.id ?? '');
    return this.streams.start(known, this.parties);
  }

  /** Only the caller's transaction counts: in a forked call one device may reject while another answers. */
  private onRejection(message: SipMessage, status: number): readonly RecordEvent[] {
    if (this.current !== 'inviting' || message.branch !== this.invitation.branch) return [];
    this.offers.reject(transactionOf(message));
    const rejection = rejectionOf(message, this.parties, this.frontEnd, this.cancelled);
    if (status < 400) this.progress.redirected(message, this.ends.callee.uri, status);
    if (status === 487 && this.cancelled) this.progress.ended('caller');
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

  private onBye(message: SipMessage, at: number): readonly Report[] {
    if (this.current === 'over' || !endsCall(message, this.parties, this.forks)) return [];
    const kept = this.forks.answered;
    if (kept) return this.report(this.continueWith(kept), at);
    const missed = this.missedStart(at);
    this.current = 'over';
    this.hadBye = true;
    this.endedAt = at;
    this.ends.completeCallee(message);
    // Of a call whose beginning was not captured, it is not known who called.
    if (!this.isAdopted) this.progress.ended(this.ends.sideOf(message.from.tag));
    const diagnostics = reasonOf(message.headers, this.frontEnd);
    const bye = withoutAbsent({ kind: 'bye' as const, endpoints: this.ends.identities(), diagnostics });
    return [...missed, ...this.report([...this.streams.ends(this.parties), bye], at)];
  }

  /** The start of an answered call whose ACK, with the answer to the offer, was not captured. */
  private missedStart(at: number): readonly Report[] {
    if (this.current !== 'active' || this.streams.hasStarted) return [];
    const events = this.start(undefined, transactionKey('INVITE', this.invitation.cseq, this.ends.caller.id));
    return this.report(events, this.answeredAt ?? at);
  }

  /** The caller has ended the dialog with the device that answered first, and keeps another one. */
  private continueWith({ callee, media }: AnsweredFork): readonly RecordEvent[] {
    const before = this.parties;
    this.forks.choose(callee.id ?? '');
    this.forks.ring(this.ends.callee.id ?? '');
    this.ends.callee = callee;
    return this.streams.replace(media, before, this.parties);
  }
}
