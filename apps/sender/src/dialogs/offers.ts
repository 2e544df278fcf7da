import { agreedMedia, type AgreedMedium, type Description, type Side } from '../media/agreed-media.js';

interface OpenOffer {
  readonly offerer: Side;
  /** Undefined: the request had none, so its response contains the offer (RFC 3261, 13.2.1). */
  readonly offer: Description | undefined;
}

const OPEN_LIMIT = 16;
const EARLY_LIMIT = 32;

/** The offers of one call that wait for their answers (RFC 3264). Bounded: the oldest is dropped. */
export class Offers {
  /** By transaction. */
  private readonly open = new Map<string, OpenOffer>();
  /** Offers in responses, which an ACK answers. By transaction. */
  private readonly late = new Map<string, { readonly offerer: Side; readonly offer: Description }>();
  /** Session descriptions of ringing devices. By tag of the device. */
  private readonly early = new Map<string, Description>();

  /** A request with its session description. */
  add(transaction: string, offerer: Side, offer: Description | undefined): void {
    if (!this.open.has(transaction)) put(this.open, transaction, { offerer, offer }, OPEN_LIMIT);
  }

  /** A provisional response. */
  addEarlyAnswer(tag: string, answer: Description | undefined): void {
    if (answer) put(this.early, tag, answer, EARLY_LIMIT);
  }

  /** A successful response. Undefined: it agrees on nothing, or is a copy of an earlier one. */
  accept(transaction: string, tag: string, own: Description | undefined): readonly AgreedMedium[] | undefined {
    const request = this.open.get(transaction);
    if (!request) return undefined;
    this.open.delete(transaction);
    const { offerer, offer } = request;
    const description = own ?? this.early.get(tag);
    if (!description) return undefined;
    if (offer) return agreedMedia(offer, description, offerer);
    put(
      this.late,
      transaction,
      { offerer: offerer === 'caller' ? 'callee' : 'caller', offer: description },
      OPEN_LIMIT,
    );
    return undefined;
  }

  /** An ACK with the answer to the offer of a response. */
  acknowledge(transaction: string, answer: Description | undefined): readonly AgreedMedium[] | undefined {
    const late = this.late.get(transaction);
    if (!late || !answer) return undefined;
    this.late.delete(transaction);
    return agreedMedia(late.offer, answer, late.offerer);
  }

  reject(transaction: string): void {
    this.open.delete(transaction);
  }
}

function put<T>(map: Map<string, T>, key: string, value: T, limit: number): void {
  map.set(key, value);
  if (map.size <= limit) return;
  for (const [oldest] of map) {
    map.delete(oldest);
    return;
  }
}
