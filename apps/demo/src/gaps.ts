import type { Period } from './calls/story.js';

const MINUTE_MS = 60_000;
/** A shorter time without a call is usual at night, and when a demo is stopped and started again at once. */
export const SHORTEST_GAP_MS = 10 * MINUTE_MS;

/** Everything: nothing is known of earlier runs. */
export const UNKNOWN_PAST: readonly Period[] = [{ from: -Infinity, to: Infinity }];

/**
 * The longest periods in `asked` of at least ten minutes in which no call began; `minutes`: begins of minutes with calls.
 * The last one has no end: some of its calls are answered later.
 */
export function gapsBetween(minutes: readonly number[], asked: Period): readonly Period[] {
  const sorted = minutes.toSorted((a, b) => a - b);
  const begins = [asked.from, ...sorted.map((minute) => minute + MINUTE_MS)];
  const ends = [...sorted, asked.to];
  return begins
    .map((from, index): Period => ({ from, to: ends[index] ?? asked.to }))
    .filter(({ from, to }) => to - from >= SHORTEST_GAP_MS)
    .map((gap) => (gap.to === asked.to ? { ...gap, to: Infinity } : gap));
}
