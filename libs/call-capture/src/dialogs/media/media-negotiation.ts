import type { RecordEvent } from '@ringdown/xml-schemas/record';
import { otherSide, type AgreedMedium, type Parties, type Side } from '../../media/agreed-media.js';
import { CallEvidence } from '../../placement/call-evidence.js';
import type { HeldDirection } from '../../rtp/hold-watch.js';
import { TrickledAddresses } from '../../media/trickled-addresses.js';
import { bodyPart } from '../../sip/body-part.js';
import { publicHost } from '../../sip/public-host.js';
import type { SipMessage } from '../../sip/sip-message.js';
import { readTrickleFragment, TRICKLE_TYPE } from '../../sip/trickle-fragment.js';
import type { CallParties } from '../call-parties.js';
import { CallStreams } from './call-streams.js';
import { DescriptionReader } from './description-reader.js';
import { messageHop, type MessageHop } from '../messages/message-hop.js';
import { Offers, type AtHop } from './offers.js';
import { sipTransaction } from '../messages/transaction.js';

/**
 * The session descriptions of one call: the media that its sides agree on by offer and answer (RFC 3264), the events that
 * report them, and where they were seen.
 */
export class MediaNegotiation {
  /** Of all hops. */
  readonly evidence = new CallEvidence();
  private readonly descriptions = new DescriptionReader();
  private readonly offers = new Offers();
  private streams = new CallStreams();
  private trickled: TrickledAddresses | undefined;

  constructor(private readonly parties: CallParties) {}

  get media(): readonly AgreedMedium[] {
    return this.streams.media;
  }

  /** Whether a record has reported that the call was answered. */
  get hasStarted(): boolean {
    return this.streams.hasStarted;
  }

  /** Also of copies: a relay between two hops writes its own addresses. `source`: IP address of the packet. */
  addEvidence(message: SipMessage, source?: string): void {
    const { parties } = this;
    parties.hopTags.observe(message);
    const own = parties.sideOf(message.from.tag);
    const { side: sender, hop } = own
      ? { side: own, hop: parties.hopTags.own }
      : (parties.hopTags.of(message.from.tag) ?? {});
    const described = sender && message.response ? otherSide(sender) : sender;
    const description = described && this.descriptions.readNew(message, described);
    if (!description) return;
    this.evidence.ownHop = parties.hopTags.own;
    this.evidence.addDescription(description, described, hop);
    const host = publicHost(message, source);
    if (host !== undefined) this.evidence.addPublicHost(host, description, described);
  }

  /** An INFO with candidates of its sender, which may tell where media go. */
  trickle(message: SipMessage): readonly RecordEvent[] {
    const text = bodyPart(message, TRICKLE_TYPE);
    const side = this.parties.sideOf(message.from.tag) ?? this.ringing(message);
    if (text === undefined || !side) return [];
    this.trickled ??= new TrickledAddresses();
    for (const medium of readTrickleFragment(text)) {
      this.trickled.add(side, medium);
      this.evidence.addCandidates(medium.candidates, side);
    }
    return this.streams.media.length === 0 ? [] : this.change(this.streams.media);
  }

  /** The start of the call was not captured. `first`: a request within it, or the answer to its INVITE. */
  adopt(first: SipMessage): void {
    this.streams = new CallStreams(true);
    const own = first.response ? this.descriptions.read(first) : undefined;
    // Its copies do not count.
    if (own) this.offers.add(sipTransaction(first), 'callee', { description: own, hop: messageHop(first, 0, {}) });
  }

  /** A new INVITE of the caller: nothing is agreed yet. Undefined: it was not captured. */
  restart(invite?: SipMessage, hop?: MessageHop): void {
    this.streams = new CallStreams();
    if (!invite || !hop) return this.offers.restart(true);
    const offer = this.atHop(invite, hop);
    this.offers.restart(offer.description !== undefined);
    this.offers.add(sipTransaction(invite), 'caller', offer);
  }

  /** A copy of the caller's INVITE at another hop. */
  addCopy(invite: SipMessage, hop: MessageHop): void {
    this.offers.add(sipTransaction(invite), 'caller', this.atHop(invite, hop));
  }

  private atHop(message: SipMessage, hop: MessageHop): AtHop {
    return { description: this.descriptions.read(message), hop };
  }

  /**
   * A request within the call. Without a description, an INVITE requests the offer of the other side. A PRACK may contain
   * the answer to the offer of the response that it acknowledges (RFC 3262, 5).
   */
  offer(message: SipMessage, hop: MessageHop): void {
    const offerer = this.parties.sideOf(message.from.tag) ?? this.ringing(message);
    const offer = this.atHop(message, hop);
    const { description } = offer;
    if (!offerer || (message.method !== 'INVITE' && !description)) return;
    const transaction = sipTransaction(message);
    const isAnswer =
      message.method === 'PRACK' &&
      description &&
      this.offers.answerEarly(transaction, message.to.tag ?? '', description);
    if (isAnswer !== true) this.offers.add(transaction, offerer, offer);
  }

  /** The tag of a device that rings is not the callee's so far. */
  private ringing({ to }: SipMessage): Side | undefined {
    const { caller, callee } = this.parties;
    return callee.id === undefined && to.tag === caller.id ? 'callee' : undefined;
  }

  /** A successful response to a request before the answer. */
  acceptEarly(response: SipMessage): void {
    const device = (this.parties.isCallers(response) ? response.to.tag : response.from.tag) ?? '';
    this.offers.agreeEarly(device, this.accept(response));
  }

  /** Whether the request of a response was captured, and not rejected. */
  knows(transaction: string): boolean {
    return this.offers.has(transaction);
  }

  /** A response, at any hop. */
  observe(response: SipMessage, hop: MessageHop): void {
    this.offers.observe(sipTransaction(response), response, hop);
  }

  /** Whether a response with a description is still to come from a hop that is nearer to its sender. */
  isAnsweredBehind(response: SipMessage, hop: MessageHop): boolean {
    return this.offers.isAnsweredBehind(sipTransaction(response), response.to.tag ?? '', hop);
  }

  /** Whether an ACK was captured before the answer that it needs. `isInvitation`: to the caller's first INVITE. */
  isEarlyAck(ack: SipMessage, hop: MessageHop, isInvitation: boolean): boolean {
    const [transaction, tag] = [sipTransaction(ack, 'INVITE'), ack.to.tag ?? ''];
    const awaitsAck = this.offers.awaitsAck(transaction, tag);
    if (awaitsAck && this.offers.isAcknowledgedBefore(transaction, hop)) return true;
    const awaited = this.offers.awaitsAnswer(transaction, tag);
    return awaited !== undefined && (isInvitation || awaited.lacksOffer);
  }

  /** Whether a PRACK was captured before the offer that it answers. */
  isEarlyAnswer(prack: SipMessage): boolean {
    return this.offers.lacksEarlyOffer(prack.to.tag ?? '') && this.descriptions.read(prack) !== undefined;
  }

  /** The answer was not captured: what the device described before, if anything. */
  acceptUnseen(transaction: string, tag: string): readonly AgreedMedium[] | undefined {
    return this.offers.agreedEarly(tag) ?? this.offers.accept(transaction, tag, undefined);
  }

  /** The INVITE was not captured: only the answer tells of the media. */
  addAnswerAlone(answer: SipMessage, hop: MessageHop): void {
    this.offers.add(sipTransaction(answer), 'callee', this.atHop(answer, hop));
  }

  /** The answer to the INVITE. What was agreed on before it stays (RFC 6337, 3.1.1). */
  acceptInvitation(response: SipMessage): readonly AgreedMedium[] | undefined {
    const media = this.accept(response);
    return this.offers.agreedEarly(response.to.tag ?? '') ?? media;
  }

  /** A provisional response. */
  addEarlyAnswer(response: SipMessage, hop: MessageHop): void {
    this.offers.addEarlyAnswer(response.to.tag ?? '', this.atHop(response, hop));
  }

  /** A successful response. Undefined: it agrees on nothing, or is a copy of an earlier one. */
  accept(response: SipMessage): readonly AgreedMedium[] | undefined {
    const own = this.descriptions.read(response);
    // What a ringing device described answers INVITEs only.
    if (response.method !== 'INVITE' && !own) return undefined;
    return this.offers.accept(sipTransaction(response), response.to.tag ?? '', own);
  }

  /** Whether the response contains an offer that the ACK has to answer. */
  awaitsAck(response: SipMessage): boolean {
    return this.offers.awaitsAck(sipTransaction(response), response.to.tag ?? '');
  }

  /** An ACK. Undefined: it does not answer an offer. */
  acknowledge(ack: SipMessage): readonly AgreedMedium[] | undefined {
    return this.offers.acknowledge(sipTransaction(ack, 'INVITE'), ack.to.tag ?? '', this.descriptions.read(ack));
  }

  /** The media of a successful request of which only the offer is known. */
  oneSided(transaction: string, tag: string): readonly AgreedMedium[] {
    return this.offers.oneSided(transaction, tag);
  }

  reject(response: SipMessage): void {
    this.offers.reject(sipTransaction(response));
  }

  /** The call was answered. Without a session description of one side, its addresses are unknown. */
  start(media: readonly AgreedMedium[] | undefined, transaction: string): readonly RecordEvent[] {
    const known = media ?? this.offers.oneSided(transaction, this.parties.callee.id ?? '');
    return this.streams.start(this.trickled?.complete(known) ?? known, this.parties.copy());
  }

  /** The media of an accepted offer. Undefined: the offer has changed nothing. */
  change(media: readonly AgreedMedium[] | undefined): readonly RecordEvent[] {
    return this.streams.change(media && (this.trickled?.complete(media) ?? media), this.parties.copy());
  }

  /** Packets flow in these directions, whatever was agreed. */
  resume(flowing: readonly HeldDirection[]): readonly RecordEvent[] {
    return this.streams.resume(flowing, this.parties.copy());
  }

  /** Another device has the call now. */
  replace(media: readonly AgreedMedium[], before: Parties): readonly RecordEvent[] {
    return this.streams.replace(media, before, this.parties.copy());
  }

  ends(): readonly RecordEvent[] {
    return this.streams.ends(this.parties.copy());
  }
}
