/** The header of posts to a collector whose records are sent long after their times: its value is `true` (docs/guides/front-ends.md). */
export const BACKFILL_HEADER = 'Ringdown-Backfill';

/** Of older records the collector's own time counts, as without the header. */
export const BACKFILL_LIMIT_MS = 31 * 86_400_000;
