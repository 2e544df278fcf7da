import { agreedMedia, otherSide, type AgreedMedium, type Description, type Side } from '../../media/agreed-media.js';
import { oneSidedMedia } from '../../media/one-sided-media.js';
import { keptList } from '../../collections/kept.js';
import { SmallMap } from '../../collections/small-map.js';
import type { SipMessage } from '../../sip/sip-message.js';
import { isKnownNearer, isNearer, keptHop, type MessageHop } from '../messages/message-hop.js';
import { RequestCopies } from '../messages/request-copies.js';

/** A description as one hop has it: relays write addresses of their own. */
export interface AtHop {
  readonly description: Description | undefined;
  readonly hop: MessageHop;
}

interface OpenOffer {
  readonly offerer: Side;
  /** Undefined: the request had none, so its response contains the offer (RFC 3261, 13.2.1). */
  offer: Description | undefined;
  /** Where the offer is from: the nearest one to its sender. */
  hop: MessageHop;
  /** Until a device has accepted it: calls are long, and have many of them. */
  copies: RequestCopies | undefined;
  /** Tags of the devices that have accepted: those of a forked INVITE each answer the same offer. */
  acceptedBy: readonly string[];
}

const OPEN_LIMIT = 16;
const EARLY_LIMIT = 32;

/** The offers of one call that wait for their answers (RFC 3264). Bounded: the oldest is dropped. */
export class Offers {
  /** By transaction. */
  private readonly open = new SmallMap<OpenOffer>(OPEN_LIMIT);
  /** Offers in responses, which an ACK answers. By transaction and tag of the device. */
  private readonly late = new SmallMap<{ readonly offerer: Side; readonly offer: Description }>(OPEN_LIMIT);
  /** Session descriptions of ringing devices. By tag of the device. */
  private readonly early = new SmallMap<AtHop & { readonly description: Description }>(EARLY_LIMIT);
  /** What was agreed on before the answer, by PRACK or UPDATE. By tag of the device. */
  private readonly agreed = new SmallMap<readonly AgreedMedium[]>(EARLY_LIMIT);
  /** Requests that contain an answer, of which copies follow at later hops. By transaction. */
  private readonly answering = new SmallMap<true>(EARLY_LIMIT);
  private isInvitedWithoutOffer = false;

  /** An INVITE of the caller, before its offer is added. */
  restart(hasOffer: boolean): void {
    this.isInvitedWithoutOffer = !hasOffer;
    this.open.clear();
    this.late.clear();
    this.early.clear();
    this.agreed.clear();
  }

  /** The answer of a caller whose INVITE had no offer. Returns false if it is not one, but an offer. */
  answerEarly(transaction: string, tag: string, answer: Description): boolean {
    if (this.answering.has(transaction)) return true;
    const offer = this.early.get(tag)?.description;
    if (!this.isInvitedWithoutOffer || !offer || this.agreed.has(tag)) return false;
    this.answering.set(transaction, true);
    this.agreed.set(tag, agreedMedia(offer, answer, 'callee'));
    return true;
  }

  agreeEarly(tag: string, media: readonly AgreedMedium[] | undefined): void {
    if (media) this.agreed.set(tag, media);
  }

  agreedEarly(tag: string): readonly AgreedMedium[] | undefined {
    return this.agreed.get(tag);
  }

  /** A request with its session description, at any hop and in any order of these. */
  add(transaction: string, offerer: Side, { description: offer, hop }: AtHop): void {
    const known = this.open.get(transaction);
    if (!known) {
      const first = keptHop(hop);
      this.open.set(transaction, { offerer, offer, hop: first, copies: new RequestCopies(first), acceptedBy: [] });
      return;
    }
    if (!known.copies) return;
    const kept = keptHop(hop);
    known.copies.add(kept);
    if (!isNearer(hop, known.hop)) return;
    known.offer = offer;
    known.hop = kept;
  }

  /** A response to a request, at any hop. */
  observe(transaction: string, response: SipMessage, hop: MessageHop): void {
    this.open.get(transaction)?.copies?.observe(response, hop);
  }

  /** A provisional response: the nearest one to the device counts. */
  addEarlyAnswer(tag: string, { description, hop }: AtHop): void {
    const known = this.early.get(tag);
    if (description && !(known && isNearer(hop, known.hop))) this.early.set(tag, { description, hop: keptHop(hop) });
  }

  /** Whether the answer of a device was not captured so far at a hop behind this one, where it must have come from. */
  isAnsweredBehind(transaction: string, tag: string, hop: MessageHop): boolean {
    return this.open.get(transaction)?.copies?.isAnsweredBehind(hop, tag) === true;
  }

  /** Whether the request was captured, and not rejected. */
  has(transaction: string): boolean {
    return this.open.has(transaction);
  }

  /** Whether this device has not accepted the request so far. `lacksOffer`: the request had none. */
  awaitsAnswer(transaction: string, tag: string): { readonly lacksOffer: boolean } | undefined {
    const request = this.open.get(transaction);
    return request && !request.acceptedBy.includes(tag) ? { lacksOffer: request.offer === undefined } : undefined;
  }

  /** Whether an ACK that answers an offer is still to come from a hop that is nearer to its sender, where the request was captured. */
  isAcknowledgedBefore(transaction: string, hop: MessageHop): boolean {
    const request = this.open.get(transaction);
    return request !== undefined && isKnownNearer(request.hop, hop) === true;
  }

  /** Whether an INVITE had no offer, and this device has not made one so far. */
  lacksEarlyOffer(tag: string): boolean {
    return this.isInvitedWithoutOffer && !this.early.has(tag);
  }

  /** A successful response. Undefined: it agrees on nothing, or is a copy of an earlier one. */
  accept(transaction: string, tag: string, own: Description | undefined): readonly AgreedMedium[] | undefined {
    const request = this.open.get(transaction);
    if (!request || request.acceptedBy.includes(tag) || request.acceptedBy.length >= EARLY_LIMIT) return undefined;
    request.acceptedBy = keptList([...request.acceptedBy, tag]);
    request.copies = undefined;
    const { offerer, offer } = request;
    const description = own ?? this.early.get(tag)?.description;
    if (!description) return undefined;
    if (offer) return agreedMedia(offer, description, offerer);
    this.late.set(lateKey(transaction, tag), { offerer: otherSide(offerer), offer: description });
    return undefined;
  }

  /** Whether the response contains an offer that the ACK has to answer. */
  awaitsAck(transaction: string, tag: string): boolean {
    return this.late.has(lateKey(transaction, tag));
  }

  /** An ACK with the answer to the offer of a response. */
  acknowledge(transaction: string, tag: string, answer: Description | undefined): readonly AgreedMedium[] | undefined {
    const late = this.late.get(lateKey(transaction, tag));
    if (!late || !answer) return undefined;
    this.late.delete(lateKey(transaction, tag));
    return agreedMedia(late.offer, answer, late.offerer);
  }

  /** The media of a successful request of which only the offer is known. */
  oneSided(transaction: string, tag: string): readonly AgreedMedium[] {
    const { offerer, offer } = this.late.get(lateKey(transaction, tag)) ?? this.open.get(transaction) ?? {};
    return offer && offerer ? oneSidedMedia(offer, offerer) : [];
  }

  reject(transaction: string): void {
    this.open.delete(transaction);
  }
}

function lateKey(transaction: string, tag: string): string {
  return `${transaction} ${tag}`;
}
