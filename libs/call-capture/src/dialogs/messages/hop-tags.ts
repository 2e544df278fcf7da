import { keptText } from '../../collections/kept.js';
import { SmallMap } from '../../collections/small-map.js';
import type { Parties, Side } from '../../media/agreed-media.js';
import type { SipMessage } from '../../sip/sip-message.js';

/** Whose tag it is, and how many hops with tags of their own are between it and the caller. */
export interface TagAtHop {
  readonly side: Side;
  readonly hop: number;
  /** Of its INVITE; undefined for the callee. */
  readonly cseq?: number;
}

const LIMIT = 16;

/** The tags of a call behind border controllers that keep the Call-ID and change both tags, each in a dialog of its own. */
export class HopTags {
  /** Of most calls there are none. */
  private tags: SmallMap<TagAtHop> | undefined;
  /** Of the caller's own dialog. Less than zero: it was captured after one that is farther from the caller. */
  own = 0;
  private nearest = 0;
  private farthest = 0;

  /** The INVITE of the call as such a hop forwards it. `isNearer`: to the caller than all that were captured before. */
  add({ from: { tag }, cseq }: Pick<SipMessage, 'from' | 'cseq'>, isNearer = false): void {
    if (tag === undefined) return;
    const known = this.of(tag);
    if (known?.cseq !== undefined && cseq > known.cseq) this.set(tag, { ...known, cseq });
    if (known) return;
    const hop = isNearer ? --this.nearest : ++this.farthest;
    this.set(tag, { side: 'caller', hop, cseq });
  }

  /** A dialog that is nearer to the caller takes the place of its own one, whose INVITE has this CSeq. */
  replaceOwn({ from: { tag } }: Pick<SipMessage, 'from'>, parties: Parties, cseq: number): void {
    const { caller, callee } = parties;
    if (caller.id !== undefined) this.set(caller.id, { side: 'caller', hop: this.own, cseq });
    if (callee.id !== undefined) this.set(callee.id, { side: 'callee', hop: this.own });
    this.own = --this.nearest;
    if (tag !== undefined) this.tags?.delete(tag);
  }

  /** A response to that INVITE names the device. */
  observe({ response, from, to: { tag } }: SipMessage): void {
    if (!response || tag === undefined || this.tags === undefined || this.tags.has(tag)) return;
    const sender = this.of(from.tag);
    if (sender?.side === 'caller') this.set(tag, { side: 'callee', hop: sender.hop });
  }

  of(tag: string | undefined): TagAtHop | undefined {
    return tag === undefined ? undefined : this.tags?.get(tag);
  }

  private set(tag: string, at: TagAtHop): void {
    this.tags ??= new SmallMap(LIMIT);
    this.tags.set(keptText(tag), at);
  }
}
