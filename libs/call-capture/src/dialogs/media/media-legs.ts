import { keptList } from '../../collections/kept.js';
import type { AgreedMedium } from '../../media/agreed-media.js';
import type { CallEvidence } from '../../placement/call-evidence.js';
import { addressKey, mediaPairKey, type MediaPacket } from '../../placement/media-packet.js';

/** A call that may be one of several legs. All times in milliseconds, as captured. */
export interface Leg {
  readonly callId: string;
  readonly conversationId: string;
  readonly firstCapturedAt: number;
  readonly lastCapturedAt: number;
  readonly call: {
    readonly media: readonly AgreedMedium[];
    readonly evidence: CallEvidence;
    readonly times: { readonly answeredAt: number | undefined; readonly endedAt: number | undefined };
  };
}

interface Agreement<L> {
  readonly leg: L;
  readonly at: number;
}

/** More calls with the same two media addresses come only from load generators. */
const CALLS_OF_PAIR = 8;
const PAIRS_OF_CALL = 16;
/** A back-to-back user agent moves the media of its legs together. */
const TOGETHER_MS = 5_000;

/**
 * The legs of one call that a back-to-back user agent connects without taking part in the media: their session descriptions
 * agree on the same two media addresses at the same time, so what is seen between these is of all of them. Two phones that use
 * their ports again have another call: it began when the earlier one was over, or long after that was set up.
 */
export class MediaLegs<L extends Leg> {
  private readonly ofPair = new Map<string, readonly Agreement<L>[]>();
  private readonly pairs = new Map<L, readonly string[]>();

  /** The media that the call agrees on now. Earlier ones stay: packets of them may still be on their way. */
  update(leg: L): void {
    const known = this.pairs.get(leg) ?? [];
    const added = pairsOf(leg.call.media).filter((pair) => !known.includes(pair));
    if (added.length === 0 || known.length >= PAIRS_OF_CALL) return;
    this.pairs.set(leg, keptList([...known, ...added]));
    for (const pair of added) {
      const others = this.ofPair.get(pair) ?? [];
      this.ofPair.set(pair, keptList([...others, { leg, at: leg.lastCapturedAt }].slice(-CALLS_OF_PAIR)));
    }
  }

  remove(leg: L): void {
    for (const pair of this.pairs.get(leg) ?? []) {
      const others = this.ofPair.get(pair)?.filter((each) => each.leg !== leg) ?? [];
      if (others.length > 0) this.ofPair.set(pair, keptList(others));
      else this.ofPair.delete(pair);
    }
    this.pairs.delete(leg);
  }

  /** The other legs of a call. */
  othersOf(leg: L): readonly L[] {
    const pairs = this.pairs.get(leg) ?? [];
    const others = pairs.flatMap((pair) => {
      const all = this.ofPair.get(pair) ?? [];
      if (all.length < 2) return [];
      const own = all.find((each) => each.leg === leg);
      return own ? all.filter((each) => each.leg !== leg && areLegs(own, each)).map((each) => each.leg) : [];
    });
    return others.length < 2 ? others : [...new Set(others)];
  }

  areOneCall([first, ...others]: readonly L[]): boolean {
    if (first === undefined || others.length === 0) return true;
    const legs = this.othersOf(first);
    return others.every((each) => legs.includes(each));
  }
}

/**
 * Of the legs, those that name each end of a packet that any of them names: others have media of their own with a relay. None if
 * none does: calls of phones behind NAT may have the same private addresses.
 */
export function legsThatName<L extends Leg>(legs: readonly L[], { source, destination }: MediaPacket): readonly L[] {
  const ends = [source, destination].flatMap((end) => (end ? addressKey(end) : []));
  const named = ends.filter((key) => legs.some(({ call }) => call.evidence.names(key)));
  return named.length === 0 ? [] : legs.filter(({ call }) => named.every((key) => call.evidence.names(key)));
}

function pairsOf(media: readonly AgreedMedium[]): readonly string[] {
  const pairs = media.flatMap(({ caller, callee }) => {
    if (caller.ip === undefined || caller.port === undefined) return [];
    if (callee.ip === undefined || callee.port === undefined) return [];
    if (caller.ip === callee.ip && caller.port === callee.port) return [];
    return mediaPairKey({ ip: caller.ip, port: caller.port }, { ip: callee.ip, port: callee.port });
  });
  return [...new Set(pairs)];
}

function areLegs<L extends Leg>(one: Agreement<L>, other: Agreement<L>): boolean {
  if (isOverBefore(one.leg, other.leg) || isOverBefore(other.leg, one.leg)) return false;
  if (one.leg.conversationId === other.leg.conversationId) return true;
  return Math.abs(one.at - other.at) <= TOGETHER_MS || (beganInSetup(one, other) && beganInSetup(other, one));
}

function isOverBefore({ call }: Leg, { firstCapturedAt }: Leg): boolean {
  const { endedAt } = call.times;
  return endedAt !== undefined && endedAt <= firstCapturedAt;
}

/** Whether one call began before the other was answered. */
function beganInSetup<L extends Leg>({ leg }: Agreement<L>, other: Agreement<L>): boolean {
  return leg.firstCapturedAt <= (other.leg.call.times.answeredAt ?? other.at);
}
