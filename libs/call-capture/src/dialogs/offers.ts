import { agreedMedia, otherSide, type AgreedMedium, type Description, type Side } from '../media/agreed-media.js';
import { oneSidedMedia } from '../media/one-sided-media.js';

interface OpenOffer {
  readonly offerer: Side;
  /** Undefined: the request had none, so its response contains the offer (RFC 3261, 13.2.1). */
  readonly offer: Description | undefined;
  /** Tags of the devices that have accepted: those of a forked INVITE each answer the same offer. */
  readonly acceptedBy: Set<string>;
}

const OPEN_LIMIT = 16;
const EARLY_LIMIT = 32;

/** The offers of one call that wait for their answers (RFC 3264). Bounded: the oldest is dropped. */
export class Offers {
  /** By transaction. */
  private readonly open = new Map<string, OpenOffer>();
  /** Offers in responses, which an ACK answers. By transaction and tag of the device. */
  private readonly late = new Map<string, { readonly offerer: Side; readonly offer: Description }>();
  /** Session descriptions of ringing devices. By tag of the device. */
  private readonly early = new Map<string, Description>();

  /** A request with its session description. */
  add(transaction: string, offerer: Side, offer: Description | undefined): void {
    if (this.open.has(transaction)) return;
    put(this.open, transaction, { offerer, offer, acceptedBy: new Set() }, OPEN_LIMIT);
  }

  /** A provisional response. */
  addEarlyAnswer(tag: string, answer: Description | undefined): void {
    if (answer) put(this.early, tag, answer, EARLY_LIMIT);
  }

  /** A successful response. Undefined: it agrees on nothing, or is a copy of an earlier one. */
  accept(transaction: string, tag: string, own: Description | undefined): readonly AgreedMedium[] | undefined {
    const request = this.open.get(transaction);
    if (!request || request.acceptedBy.has(tag) || request.acceptedBy.size >= EARLY_LIMIT) return undefined;
    request.acceptedBy.add(tag);
    const { offerer, offer } = request;
    const description = own ?? this.early.get(tag);
    if (!description) return undefined;
    if (offer) return agreedMedia(offer, description, offerer);
    put(this.late, lateKey(transaction, tag), { offerer: otherSide(offerer), offer: description }, OPEN_LIMIT);
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

function put<T>(map: Map<string, T>, key: string, value: T, limit: number): void {
  map.set(key, value);
  if (map.size <= limit) return;
  for (const [oldest] of map) {
    map.delete(oldest);
    return;
  }
}
