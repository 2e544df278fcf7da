import { keptText } from '../collections/kept.js';
import { SmallMap } from '../collections/small-map.js';
import type { Side } from '../media/agreed-media.js';
import type { SipMessage } from '../sip/sip-message.js';

/** Whose tag it is, and how many hops with tags of their own are between it and the caller. */
export interface TagAtHop {
  readonly side: Side;
  readonly hop: number;
}

const LIMIT = 16;

/** The tags of a call behind border controllers that keep the Call-ID and change both tags, each in a dialog of its own. */
export class HopTags {
  /** Of most calls there are none. */
  private tags: SmallMap<TagAtHop> | undefined;
  private hops = 0;

  /** The INVITE of the call as such a hop forwards it. */
  add({ from: { tag } }: SipMessage): void {
    if (tag === undefined || this.tags?.has(tag) === true) return;
    this.tags ??= new SmallMap(LIMIT);
    this.tags.set(keptText(tag), { side: 'caller', hop: ++this.hops });
  }

  /** A response to that INVITE names the device. */
  observe({ response, from, to: { tag } }: SipMessage): void {
    if (!response || tag === undefined || this.tags === undefined || this.tags.has(tag)) return;
    const sender = this.of(from.tag);
    if (sender?.side === 'caller') this.tags.set(keptText(tag), { side: 'callee', hop: sender.hop });
  }

  of(tag: string | undefined): TagAtHop | undefined {
    return tag === undefined ? undefined : this.tags?.get(tag);
  }
}
