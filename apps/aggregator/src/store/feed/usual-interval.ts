/** What is known of the records of a front end; times are milliseconds since 1970. */
export interface FeedHistory {
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** All, with duplicates. */
  readonly records: number;
  /** Those of earlier days within {@link AROUND_SECONDS} of this time of day. */
  readonly atThisTime: number;
}

const DAY_SECONDS = 86_400;
/** Feeds have busy and quiet hours: earlier days are compared at the same time of day, an hour more or less. */
export const AROUND_SECONDS = 3_600;
/** One less than the activity is kept, so that the window of the oldest day is whole. */
export const COMPARED_DAYS = 6;
/** Fewer have no usual interval. */
const LEAST_RECORDS = 10;

/**
 * The usual time between two records in seconds; of a feed of the first day, between all of them so far. Undefined when
 * there are too few. A feed that has never sent anything at this time of day has the length of all compared hours.
 */
export function usualIntervalSeconds(
  { firstSeen, lastSeen, records, atThisTime }: FeedHistory,
  now: number,
): number | undefined {
  if (records < LEAST_RECORDS) return undefined;
  const days = Math.min(COMPARED_DAYS, Math.floor((now - firstSeen) / 1_000 / DAY_SECONDS));
  const seconds =
    days < 1 ? (lastSeen - firstSeen) / 1_000 / (records - 1) : (days * 2 * AROUND_SECONDS) / Math.max(1, atThisTime);
  return Math.round(seconds * 10) / 10;
}
