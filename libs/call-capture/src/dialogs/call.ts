import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { RecordEvent } from '@ringdown/xml-schemas/record';
import type { SipMessage } from '../sip/sip-message.js';
import type { AgreedMedium, Parties } from '../media/agreed-media.js';
import type { HeldDirection } from '../rtp/hold-watch.js';
import type { CallEvidence } from '../placement/call-evidence.js';
import { CallParties } from './call-parties.js';
import { CallProgress } from './call-progress.js';
import { CallSetup } from './call-setup.js';
import type { CallState } from './call-state.js';
import { fitsDialog } from './dialog-reference.js';
import { isEarly, NEGOTIATING } from './messages/message-order.js';
import { fitOfBye, isEnd, senderOfBye, sideByTags, type PlacedBye } from './ending.js';
import { Forks, type AnsweredFork } from './messages/forks.js';
import type { HeldEnd } from './invitation.js';
import { messageHop, type MessageHop, type PacketHosts } from './messages/message-hop.js';
import { MediaNegotiation } from './media/media-negotiation.js';
import { isRinging, isWithinCall } from './opens-call.js';
import { partyEndpoint } from './party.js';
import type { Report } from './reports/report.js';
import { transactionKey, sipTransaction } from './messages/transaction.js';
import type { UnplacedMessage } from './messages/unplaced-messages.js';

/** Messages are sent again for this long (RFC 3261, 64 x T1), and devices that only rang are forgotten after it (13.2.2.4). */
const COPIES_MS = 32_000;

/**
 * The state of one call by its SIP messages, from the first INVITE to the BYE: messages go in, events for the
 * feed come out. The same message is captured several times, as a retransmission and at each hop; only the first has an
 * effect. Of a forked call the device that answers first counts, or the one that the caller keeps.
 */
export class Call {
  private current: CallState = 'inviting';
  private readonly ends: CallParties;
  private readonly negotiation: MediaNegotiation;
  private readonly progress = new CallProgress();
  private readonly forks = new Forks();
  private readonly setup: CallSetup;
  private endedAt: number | undefined;
  /** The start was not captured. */
  private isAdopted = false;
  /** A rejected call may be retried; a call that ended with BYE is over. */
  private hadBye = false;
  /** Why the last message has no effect, if that is a surprise. */
  problem: UnplacedMessage | undefined;

  /** `first`: its INVITE; or a message of a later time, if the beginning of the call was not captured. */
  constructor(first: SipMessage, frontEnd: string) {
    this.ends = new CallParties(first);
    this.negotiation = new MediaNegotiation(this.ends);
    const { ends, negotiation, progress, forks } = this;
    this.setup = new CallSetup({ ends, negotiation, progress, forks, frontEnd });
    if (isWithinCall(first)) this.adopt(first);
  }

  get state(): CallState {
    return this.current;
  }

  get media(): readonly AgreedMedium[] {
    return this.negotiation.media;
  }

  /** Where its media were seen, at all hops. */
  get evidence(): CallEvidence {
    return this.negotiation.evidence;
  }

  /** As far as they were captured; milliseconds since 1970. */
  get times(): { readonly answeredAt: number | undefined; readonly endedAt: number | undefined } {
    return { answeredAt: this.setup.answeredAt, endedAt: this.endedAt };
  }

  get parties(): Parties {
    return this.ends.copy();
  }

  /** Undefined: it is not known. */
  get callersTag(): string | undefined {
    return this.ends.caller.id;
  }

  /** CSeq of the INVITE of the caller; -1: it was not captured. */
  get invitedWith(): number {
    return this.setup.cseq;
  }

  /** Whether the messages that this one follows were not captured so far. */
  isEarly(message: SipMessage, hop: MessageHop): boolean {
    const { current, ends, setup, negotiation, forks } = this;
    return !this.hadBye && isEarly(message, hop, { state: current, ends, setup, negotiation, forks });
  }

  /** Whether an INVITE without To tag begins another call with the same Call-ID, and is no copy and no new try of this one. */
  isOtherCall(invite: SipMessage, at: number): boolean {
    return this.setup.isOtherCall(invite, at, { state: this.current, hadBye: this.hadBye });
  }

  /** What a message reports, often nothing. `at`: the time of its capture; `hosts`: of its packet. */
  onMessage(message: SipMessage, at: number, hosts: PacketHosts = {}): readonly Report[] {
    const reports = this.process(message, at, hosts);
    this.negotiation.addEvidence(message, hosts.source);
    return reports;
  }

  /** Packets flow in directions that are on hold, which ends it. `at`: capture time of the last one. */
  resume(flowing: readonly HeldDirection[], at: number): readonly Report[] {
    return this.current === 'active' && flowing.length > 0 ? this.report(this.negotiation.resume(flowing), at) : [];
  }

  private process(message: SipMessage, at: number, hosts: PacketHosts): readonly Report[] {
    this.problem = undefined;
    if (message.method === 'BYE') return this.onBye(message, at);
    const invited = this.assumeInvite(message, at);
    const hop = messageHop(message, at, hosts);
    const { response } = message;
    const events = response ? this.onResponse(message, response.status, hop) : this.onRequest(message, hop);
    return [...invited, ...this.report(events, at)];
  }

  /** Of a new call, or of a new try, only the responses are captured. */
  private assumeInvite(message: SipMessage, at: number): readonly Report[] {
    const isNew = this.current === 'inviting' || (this.current === 'over' && !this.hadBye && isRinging(message));
    if (!isNew || !this.setup.lacksInvite(message)) return [];
    this.current = 'inviting';
    return this.report([this.setup.assumeInvite(message)], at);
  }

  private report(events: readonly RecordEvent[], at: number): readonly Report[] {
    if (events.length === 0) return [];
    const transferred = events.map((event) => (event.kind === 'start' ? { ...event, ...this.setup.transfer } : event));
    return [withoutAbsent({ events: transferred, at, extensions: this.progress.extensionsFor(events, at) })];
  }

  /** Whether a redirection was its last response, and nothing has become of it so far. */
  get isRedirected(): boolean {
    return this.progress.redirection.awaitsNextAddress;
  }

  /** Whose tags a message has: of the parties, or of a hop with tags of its own. Undefined also for another call after the BYE. */
  tagsOf(message: SipMessage): 'parties' | 'hop' | undefined {
    return this.setup.tagsOf(message, this.hadBye);
  }

  /** Whether the tags are those of its dialog, or of one with another device. */
  hasDialog(tags: readonly string[]): boolean {
    return fitsDialog(tags, this.ends, this.forks);
  }

  /** What may still follow after a rejection or a CANCEL; undefined if neither was captured. */
  get awaits(): HeldEnd['awaits'] | undefined {
    return this.current === 'inviting' ? this.setup.held?.awaits : undefined;
  }

  /** The caller goes on with another call: returns the end that was held back. */
  continueAs(next: SipMessage): readonly Report[] {
    this.progress.redirection.continuedAs(next.target ?? next.to.uri);
    return this.endHeld();
  }

  /** Nothing follows: returns the end that was held back, if there is one. */
  endHeld(): readonly Report[] {
    const held = this.current === 'inviting' ? this.setup.endHeld() : undefined;
    if (!held) return [];
    if (held.event.kind === 'bye') this.onEnd(held.at);
    this.current = 'over';
    return this.report([held.event], held.at);
  }

  /** No more messages will follow: returns what was held back. */
  abandon(): readonly Report[] {
    const held = this.endHeld();
    this.current = 'over';
    return held;
  }

  private onRequest(message: SipMessage, hop: MessageHop): readonly RecordEvent[] {
    const { method } = message;
    if (method === 'INVITE' && message.to.tag === undefined) return this.onInvite(message, hop);
    if (method === 'ACK') return this.onAcknowledgement(message, hop.capturedAt);
    if (NEGOTIATING.has(method) && this.current !== 'over') this.negotiation.offer(message, hop);
    if (method === 'CANCEL' && this.current === 'inviting') this.setup.cancel(message, hop.capturedAt);
    if (method === 'INFO' && this.current !== 'over') return this.negotiation.trickle(message);
    if (method === 'REFER') this.progress.referred(message, this.ends.senderOf(message));
    return [];
  }

  /** A request within the call, or the answer to an INVITE that was not captured: the call is active. */
  private adopt(first: SipMessage): void {
    this.current = 'active';
    this.isAdopted = true;
    this.negotiation.adopt(first);
    if (first.response) this.setup.adopt(first);
  }

  private onInvite(message: SipMessage, hop: MessageHop): readonly RecordEvent[] {
    const { capturedAt: at } = hop;
    if (this.hadBye && at - (this.endedAt ?? at) >= COPIES_MS) this.problem = 'Call-ID used again';
    const isSetUp = this.current === 'active' || this.hadBye;
    if (isSetUp) this.setup.addHop(message, hop);
    return isSetUp ? [] : this.changeTo('inviting', this.setup.invite(message, hop, this.current));
  }

  private changeTo(state: CallState, event: RecordEvent | undefined): readonly RecordEvent[] {
    if (event) this.current = state;
    return event ? [event] : [];
  }

  private onResponse(message: SipMessage, status: number, hop: MessageHop): readonly RecordEvent[] {
    if (message.method === 'REFER' && status >= 300) this.progress.notReferred();
    if (!NEGOTIATING.has(message.method)) return [];
    this.negotiation.observe(message, hop);
    const isInvitation = this.setup.isResponse(message);
    const { tag = '' } = message.to;
    if (status < 200) this.onProgress(message, status, hop, isInvitation);
    else if (status >= 300) return this.onRejection(message, status, isInvitation ? hop.capturedAt : undefined);
    else if (isInvitation) return this.onAnswer(message, tag, hop);
    else if (this.current === 'inviting') this.negotiation.acceptEarly(message);
    else if (!this.forks.has(tag)) return this.applyMedia(this.negotiation.accept(message));
    return [];
  }

  /** `isInvitation`: it is a response to the caller's INVITE. */
  private onProgress(message: SipMessage, status: number, hop: MessageHop, isInvitation: boolean): void {
    const { tag = '' } = message.to;
    if (isInvitation) this.setup.onProgress(status, hop.capturedAt);
    if (this.current === 'inviting' && tag !== '') this.forks.ring(tag);
    this.negotiation.addEarlyAnswer(message, hop);
  }

  /** `at`: if it is a response to the caller's INVITE. A rejected change leaves the call and its media as they are. */
  private onRejection(message: SipMessage, status: number, at: number | undefined): readonly RecordEvent[] {
    if (at === undefined) this.negotiation.reject(message);
    else if (this.current === 'inviting') return this.changeTo('over', this.setup.reject(message, status, at));
    return [];
  }

  private onAnswer(message: SipMessage, tag: string, hop: MessageHop): readonly RecordEvent[] {
    this.forks.onAnswer(tag, this.setup.isCallersHop(message), message.to.otherTags);
    const isEnded = this.current === 'inviting' && this.setup.isEndedWith(tag);
    if (this.current === 'over' || isEnded) return [];
    if (this.isAdopted) return this.applyMedia(this.negotiation.oneSided(sipTransaction(message), tag));
    const media = this.negotiation.acceptInvitation(message);
    const callee = this.ends.answering(message);
    if (this.current === 'active') {
      if (tag !== this.ends.callee.id) this.forks.answer(tag, { callee, media: media ?? [] });
      return [];
    }
    this.current = 'active';
    this.setup.answer(tag, callee, hop.capturedAt);
    if (!media) this.negotiation.addAnswerAlone(message, hop);
    return !media && this.negotiation.awaitsAck(message) ? [] : this.negotiation.start(media, sipTransaction(message));
  }

  /** It may contain the answer to the offer of the response. */
  private onAcknowledgement(message: SipMessage, at: number): readonly RecordEvent[] {
    if (this.current === 'inviting' && this.setup.isAnsweredBy(message)) return this.assumeAnswer(message, at);
    const media = this.negotiation.acknowledge(message);
    const isStart = this.current === 'active' && !this.negotiation.hasStarted && message.cseq === this.setup.cseq;
    return isStart ? this.negotiation.start(media, sipTransaction(message, 'INVITE')) : this.applyMedia(media);
  }

  /** The answer was not captured, but its ACK. */
  private assumeAnswer(ack: SipMessage, at: number): readonly RecordEvent[] {
    const { tag = '' } = ack.to;
    const transaction = sipTransaction(ack, 'INVITE');
    this.current = 'active';
    this.setup.answer(tag, partyEndpoint(ack.to), at);
    this.progress.assume('Start');
    return this.negotiation.start(this.negotiation.acceptUnseen(transaction, tag), transaction);
  }

  private applyMedia(media: readonly AgreedMedium[] | undefined): readonly RecordEvent[] {
    return this.current === 'active' ? this.negotiation.change(media) : [];
  }

  /** A BYE, or the response to one that was not captured. */
  private onBye(message: SipMessage, at: number): readonly Report[] {
    if (this.current === 'over' || !isEnd(message)) return [];
    const isLongAnswered = at - (this.setup.answeredAt ?? at) >= COPIES_MS;
    const known = { parties: this.ends, forks: this.forks, hopTags: this.ends.hopTags, isLongAnswered };
    const fit = fitOfBye(message, known);
    if (fit === 'not') this.problem = 'unknown dialog';
    if (fit === 'other device') this.forks.endOf(message);
    if (fit === 'not' || fit === 'other device') return [];
    const kept = this.forks.answeredBesides(this.ends.callee.id);
    if (kept) return this.report(this.continueWith(kept), at);
    const by = senderOfBye(message, known, this.ends.sideByVia(message));
    const isAssumed = fit === 'likely' || message.response !== undefined || by !== sideByTags(message, known);
    const isEarly = this.current === 'inviting' && this.setup.holdBye(message, { at, by, isAssumed });
    return isEarly ? [] : this.end(message, { at, by, isAssumed });
  }

  private end(message: SipMessage, { at, by, isAssumed }: PlacedBye): readonly Report[] {
    const missed = this.missedStart(at);
    if (isAssumed) this.progress.assume('Bye');
    this.onEnd(at);
    // Of a call whose beginning was not captured, it is not known who called.
    if (this.setup.isInvited) this.progress.ended(by);
    return [...missed, ...this.report([...this.negotiation.ends(), this.setup.byeOf(message)], at)];
  }

  private onEnd(at: number): void {
    this.current = 'over';
    this.hadBye = true;
    this.endedAt = at;
  }

  /** The start of an answered call whose ACK, with the answer to the offer, was not captured. */
  private missedStart(at: number): readonly Report[] {
    if (this.current !== 'active' || this.negotiation.hasStarted) return [];
    const transaction = transactionKey('INVITE', this.setup.cseq, this.ends.caller.id);
    const events = this.negotiation.start(undefined, transaction);
    return this.report(events, this.setup.answeredAt ?? at);
  }

  /** The caller has ended the dialog with the device that answered first, and keeps another one. */
  private continueWith({ callee, media }: AnsweredFork): readonly RecordEvent[] {
    const before = this.parties;
    this.forks.choose(callee.id ?? '');
    this.forks.ring(this.ends.callee.id ?? '');
    this.ends.callee = callee;
    return this.negotiation.replace(media, before);
  }
}
