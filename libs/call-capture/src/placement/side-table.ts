import { otherSide, type Side } from '../media/agreed-media.js';

/** A side of the call and its media, by the index of their `m=` lines; no media: any of them. */
export interface Evidence {
  readonly side: Side;
  readonly places: ReadonlySet<number>;
}

interface Owner {
  /** Undefined: both sides use the key, so it identifies neither. */
  side: Side | undefined;
  places: ReadonlySet<number>;
}

export const ANY_PLACE: ReadonlySet<number> = new Set();

/** Which side of a call uses an address, an SSRC or a name. Bounded: the oldest key is dropped. */
export class SideTable {
  /** Most calls have entries in few of their tables. */
  private owners: Map<string, Owner> | undefined;

  constructor(private readonly limit: number) {}

  /** Returns whether the key is new. `places` is kept, and shared by all keys of a medium. */
  add(key: string, side: Side, places: ReadonlySet<number>): boolean {
    const owners = (this.owners ??= new Map<string, Owner>());
    const known = owners.get(key);
    if (known) {
      if (known.side !== side) known.side = undefined;
      if (!places.isSubsetOf(known.places)) known.places = known.places.union(places);
      return false;
    }
    owners.set(key, { side, places });
    if (owners.size > this.limit) {
      const [oldest = key] = owners.keys();
      owners.delete(oldest);
    }
    return true;
  }

  /** None if the key is unknown, or used by both sides. */
  ownerOf(key: string): readonly Evidence[] {
    const { side, places } = this.owners?.get(key) ?? {};
    return side === undefined || places === undefined ? [] : [{ side, places }];
  }

  /** The owner without its media: reports of several media are sent in one packet. */
  sideOf(key: string): readonly Evidence[] {
    return this.ownerOf(key).map(({ side }) => ({ side, places: ANY_PLACE }));
  }

  has(key: string): boolean {
    return this.owners?.has(key) ?? false;
  }
}

/** The sender of what this side receives. */
export function senderTo({ side, places }: Evidence): Evidence {
  return { side: otherSide(side), places };
}
