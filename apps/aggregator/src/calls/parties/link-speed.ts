import type { Call } from '../call.js';

/** What clients report that do not know the speed: all bits of 32, and the same rounded. */
const UNKNOWN_SPEEDS = [4_294_967_295, 4_294_967_300];
/** No network is faster, bit/s: a higher value was not measured. */
const MOST = 1e13;

/** The slowest link of the endpoints, bit/s; null when none is known. */
export function slowestLink({ parties, streams }: Pick<Call, 'parties' | 'streams'>): number | null {
  const ends = [...parties, ...streams.flatMap(({ from, to }) => [from ?? [], to ?? []].flat())];
  const speeds = ends.flatMap(({ linkSpeed }) => {
    return linkSpeed !== undefined && linkSpeed > 0 && linkSpeed <= MOST && !UNKNOWN_SPEEDS.includes(linkSpeed)
      ? linkSpeed
      : [];
  });
  return speeds.length === 0 ? null : Math.min(...speeds);
}
