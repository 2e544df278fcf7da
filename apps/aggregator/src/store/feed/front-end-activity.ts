import { isoTime } from '../../calls/streams/report-source.js';
import type { Transaction } from '../database/transaction.js';

const SLOT_MS = 300_000;
/** How long activity is kept, which is also the longest period that can be requested. */
export const ACTIVITY_DAYS = 7;
/** Front ends that have been silent for longer may be forgotten. More than an alert may wait for: `limit` and `forSeconds`. */
export const FEED_KNOWN_DAYS = 9;
/** Longer lists of gaps are not more informative. */
const MAX_GAPS = 200;

/** The beginning of the slot to which a time belongs, milliseconds since 1970. */
export function activitySlotStart(epochMs: number): number {
  return Math.floor(epochMs / SLOT_MS) * SLOT_MS;
}

/** What a front end sent in a period. */
export interface Activity {
  readonly from: string;
  readonly to: string;
  readonly records: number;
  readonly duplicates: number;
  readonly late: number;
  readonly expired: number;
  /** Includes duplicates. */
  readonly recordsPerMinute: number;
  /** The earliest first; only the last 200. */
  readonly gaps: readonly Gap[];
}

/** A period without any record. */
export interface Gap {
  readonly from: string;
  /** Null while it lasts. */
  readonly to: string | null;
  readonly seconds: number;
}

export interface ActivityQuestion {
  readonly nameKey: string;
  /** Milliseconds since 1970, whole slots. */
  readonly from: number;
  readonly now: number;
  /** Shorter gaps are not listed. */
  readonly gapSeconds: number;
  /** Its last record of all, milliseconds since 1970. */
  readonly lastSeen: number;
}

interface Slot {
  readonly first_at: Date | null;
  readonly last_at: Date | null;
  readonly records: number;
  readonly duplicates: number;
  readonly late: number;
  readonly expired: number;
}

/** A gap counts from the last record before it, also from one before the period; nothing is reported about the time before the first record. */
export async function activityOf(
  transaction: Transaction,
  { nameKey, from, now, gapSeconds, lastSeen }: ActivityQuestion,
): Promise<Activity> {
  const { rows } = await transaction.query<Slot>(
    `select min(first_at) as first_at, max(last_at) as last_at, sum(records)::integer as records,
       sum(duplicates)::integer as duplicates, sum(late)::integer as late, sum(expired)::integer as expired
     from front_end_activity where name_key = $1 and slot >= $2 group by slot order by slot`,
    [nameKey, new Date(from)],
  );
  const before = await transaction.query<Pick<Slot, 'last_at'>>(
    'select max(last_at) as last_at from front_end_activity where name_key = $1 and slot < $2',
    [nameKey, new Date(from)],
  );
  // Of records before the kept activity, only the last one of all is known.
  const last = before.rows[0]?.last_at?.getTime() ?? (lastSeen < from ? lastSeen : undefined);
  const sum = (count: (slot: Slot) => number): number => rows.reduce((total, slot) => total + count(slot), 0);
  const [records, duplicates] = [sum((slot) => slot.records), sum((slot) => slot.duplicates)];
  return {
    from: isoTime(from),
    to: isoTime(now),
    records,
    duplicates,
    late: sum((slot) => slot.late),
    expired: sum((slot) => slot.expired),
    recordsPerMinute: perMinute(records + duplicates, now - from),
    gaps: gapsOf(rows, { last, now, atLeast: gapSeconds * 1_000 }).slice(-MAX_GAPS),
  };
}

export function perMinute(records: number, milliseconds: number): number {
  return Math.round((records / Math.max(milliseconds, 60_000)) * 60_000 * 100) / 100;
}

interface Gaps {
  /** The last record before the slots, if any is known. */
  readonly last: number | undefined;
  readonly now: number;
  readonly atLeast: number;
}

function gapsOf(slots: readonly Slot[], { last: before, now, atLeast }: Gaps): readonly Gap[] {
  const gaps: Gap[] = [];
  let last = before;
  const add = (to: number, lasts: boolean): void => {
    if (last === undefined || to - last < atLeast) return;
    gaps.push({ from: isoTime(last), to: lasts ? null : isoTime(to), seconds: (to - last) / 1_000 });
  };
  for (const { first_at, last_at } of slots) {
    if (first_at === null || last_at === null) continue;
    add(first_at.getTime(), false);
    last = Math.max(last_at.getTime(), last ?? -Infinity);
  }
  add(now, true);
  return gaps;
}
