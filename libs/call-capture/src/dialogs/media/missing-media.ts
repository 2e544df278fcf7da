import { otherSide, type AgreedMedium, type Side } from '../../media/agreed-media.js';
import type { TrackedCall } from '../tracked-call.js';
import type { SeenNetworks } from './seen-networks.js';

/** A shorter call may end before its first packets. */
const SHORTEST_MS = 5_000;
/** The capture saw other media so shortly before the end of the call. */
const RECENT_MS = 60_000;

const SIDES: readonly Side[] = ['caller', 'callee'];

/**
 * Whose media a call that has just ended lacks, although the capture would have seen them: it saw those of other calls from and to the
 * same networks in the last minute. Never anybody's where it is not known which way the media take: with ICE, behind NAT, or through a
 * relay that no message names. Undefined: nobody's, or it is not known.
 */
export function missingMedia(tracked: TrackedCall, networks: SeenNetworks): Side | 'both' | undefined {
  const { call, streams, lastReportAt } = tracked;
  const { answeredAt, endedAt } = call.times;
  if (answeredAt === undefined || endedAt === undefined) return undefined;
  const after = Math.max(answeredAt, endedAt - RECENT_MS);
  const medium = call.media.find((each) => isExpected(each, tracked, endedAt - answeredAt));
  if (medium === undefined) return undefined;
  const wouldBeSeen = (sender: Side): boolean => {
    const [from, to] = [medium[sender].ip, medium[otherSide(sender)].ip];
    return from !== undefined && to !== undefined && networks.sawAfter(after, from, to);
  };
  const missing = SIDES.filter((sender) => !streams.hasFrom(sender) && wouldBeSeen(sender));
  if (missing.length === 2) return lastReportAt === undefined ? 'both' : undefined;
  const [silent] = missing;
  return silent !== undefined && streams.hasMuchFrom(otherSide(silent)) ? silent : undefined;
}

/** Audio that both sides agreed to send and receive at the addresses of their descriptions, and not only for a moment. */
function isExpected(medium: AgreedMedium, { holds, call }: TrackedCall, callMs: number): boolean {
  if (medium.mediaType !== 'audio' || !SIDES.every((side) => isPlain(medium[side]))) return false;
  const heldMs = SIDES.map((side) => holds.heldMs(medium.place, side, call.times.endedAt ?? 0));
  return callMs - Math.max(...heldMs) >= SHORTEST_MS;
}

function isPlain({ sends, receives, ice, candidates }: AgreedMedium[Side]): boolean {
  return sends && receives && ice === undefined && candidates === undefined;
}
