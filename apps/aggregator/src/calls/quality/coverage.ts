import type { Coverage } from '../call.js';
import type { StreamQuality } from './call-quality.js';

/** Media that flow in both directions; other media, like a shared screen, may flow in one. */
const TWO_WAY = new Set<string | null>(['audio', 'video']);

interface Direction {
  readonly key: string;
  readonly mediaType: string | null;
}

/**
 * For how many directions of its media a call was judged: many feeds report one direction only, and what no one
 * measured is not good. `both`: every direction of every medium. `one`: some of them.
 */
export function qualityCoverage(streams: readonly Direction[], quality: readonly StreamQuality[]): Coverage {
  const judged = quality.filter((report) => report.quality.verdict !== 'unknown').map(streamDirection);
  if (judged.length === 0) return 'none';
  const known = Map.groupBy([...streams, ...quality.map(streamDirection)], ({ mediaType }) => mediaType);
  const isWhole = [...known].every(([mediaType, directions]) => {
    const wanted = TWO_WAY.has(mediaType) ? 2 : directionCount(directions);
    return directionCount(judged.filter((direction) => direction.mediaType === mediaType)) >= wanted;
  });
  return isWhole ? 'both' : 'one';
}

function streamDirection({ streamKey, quality: { mediaType } }: StreamQuality): Direction {
  return { key: streamKey, mediaType };
}

function directionCount(directions: readonly Direction[]): number {
  return new Set(directions.map(({ key }) => key)).size;
}
