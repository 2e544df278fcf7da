import { SmallMap } from '../collections/small-map.js';
import { preferredCandidate } from '../sip/ice.js';
import type { IceCandidate, MediaAddress, OfferedMedium } from '../sip/offered-medium.js';
import type { TrickledCandidates } from '../sip/trickle-fragment.js';
import type { AgreedMedium, Side } from './agreed-media.js';

interface Trickled {
  readonly side: Side;
  readonly mark: string;
  readonly ufrag: string | undefined;
  readonly best: IceCandidate;
}

/** Both sides of a few media, and restarts of ICE. */
const LIMIT = 32;

/** Where media go whose addresses were not in session descriptions, but followed as candidates (RFC 8840). */
export class TrickledAddresses {
  private readonly known = new SmallMap<Trickled>(LIMIT);

  add(side: Side, { mark, ufrag, candidates }: TrickledCandidates): void {
    const key = `${side} ${mark} ${ufrag ?? ''}`;
    const usable = candidates.filter(({ isRtp }) => isRtp);
    const before = this.known.get(key)?.best;
    const all = before ? [before, ...usable] : usable;
    const best = all.reduce<IceCandidate | undefined>((a, b) => (a && a.priority >= b.priority ? a : b), undefined);
    if (best && best !== before) this.known.set(key, { side, mark, ufrag, best });
  }

  complete(media: readonly AgreedMedium[]): readonly AgreedMedium[] {
    if (this.known.size === 0) return media;
    return media.map((medium) => ({
      ...medium,
      caller: this.completeEnd('caller', medium.caller),
      callee: this.completeEnd('callee', medium.callee),
    }));
  }

  private completeEnd(side: Side, end: OfferedMedium): OfferedMedium {
    const place = end.port === undefined ? this.placeOf(side, end) : undefined;
    return place ? { ...end, ...place } : end;
  }

  /** Media that share a port have the candidates of the first one. */
  private placeOf(side: Side, { ice, isBundled }: OfferedMedium): MediaAddress | undefined {
    if (!ice) return undefined;
    const fitting = this.known.values().filter((each) => {
      const isSameTry = each.ufrag === undefined || ice.ufrag === undefined || each.ufrag === ice.ufrag;
      return each.side === side && isSameTry;
    });
    const own = fitting.filter(({ mark }) => mark === ice.mark);
    return preferredCandidate((own.length === 0 && isBundled ? fitting : own).map(({ best }) => best));
  }
}
