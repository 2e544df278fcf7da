import { keptText } from '../../collections/kept.js';
import type { SipMessage } from '../../sip/sip-message.js';
import { isKnownNearer, type MessageHop } from './message-hop.js';

/** A request at one hop. */
interface RequestCopy {
  readonly hop: MessageHop;
  /** Of the devices whose responses were captured at this hop. */
  readonly tags: readonly string[];
  /** A final response was captured at this hop. */
  readonly isOver: boolean;
}

/** Hops, and devices. */
const LIMIT = 8;

/** The hops where one request was captured, with what was responded there. Bounded: a later one is not known. */
export class RequestCopies {
  private copies: readonly RequestCopy[];

  constructor(first: MessageHop) {
    this.copies = [{ hop: first, tags: [], isOver: false }];
  }

  add(hop: MessageHop): void {
    if (this.copies.length < LIMIT && !this.at(hop)) this.copies = [...this.copies, { hop, tags: [], isOver: false }];
  }

  observe({ response, to: { tag } }: Pick<SipMessage, 'response' | 'to'>, hop: MessageHop): void {
    const known = this.at(hop);
    if (!known || !response) return;
    const isNew = tag !== undefined && known.tags.length < LIMIT && !known.tags.includes(tag);
    const tags = isNew ? [...known.tags, keptText(tag)] : known.tags;
    const isOver = known.isOver || response.status >= 200;
    this.copies = this.copies.map((copy) => (copy === known ? { ...copy, tags, isOver } : copy));
  }

  /** Whether the answer of a device at this hop must have come from another hop where the request was captured, and this answer was not so far. */
  isAnsweredBehind(hop: MessageHop, device: string): boolean {
    const here = this.at(hop)?.tags ?? [];
    return this.copies.some(({ hop: other, tags, isOver }) => {
      if (isOver || !isBehind(other, hop)) return false;
      // Responses of other devices have come this way, in a forked call. Some proxies write tags of their own towards the caller.
      return !(tags.length > 0 && !tags.includes(device) && tags.every((tag) => here.includes(tag)));
    });
  }

  private at({ branch, passed }: MessageHop): RequestCopy | undefined {
    return this.copies.find(({ hop }) => hop.branch === branch && hop.passed.length === passed.length);
  }
}

/** Whether the first hop is on the way from the second one: it has its Via, unless another hop hides topology. */
function isBehind(one: MessageHop, other: MessageHop): boolean {
  return one.passed.includes(other.branch) || (one.origin !== other.origin && isKnownNearer(other, one) === true);
}
