import type { PublishedRecord } from '@ringdown/contracts';
import { epochMillis, type DiagnosticsRecord } from '@ringdown/xml-schemas';
import { hash } from 'node:crypto';

/** One record of a call, as the folding sees it. */
export interface FeedRecord {
  /** Given by the collector; a record that the bus delivers twice keeps it. */
  readonly id: string;
  /** Of the document as it came: two front ends or managers may send copies. */
  readonly digest: string;
  /** Length of the document in characters. */
  readonly size: number;
  /** The collector's clock, milliseconds since 1970. */
  readonly receivedAt: number;
  readonly record: DiagnosticsRecord;
}

export function feedRecord({ id, receivedAt, record, xml }: PublishedRecord): FeedRecord {
  const digest = hash('sha256', xml, 'base64url').slice(0, 22);
  return { id, digest, size: xml.length, receivedAt, record };
}

/** The clock of records that have no time of their own. */
export const COLLECTOR_CLOCK = 'collector';

/**
 * Nothing is sent before it happens. A clock may be wrong by its time zone; a time that is further ahead of its receipt is not
 * believed: the call would be the newest one for years.
 */
export const MOST_AHEAD_MS = 86_400_000;

/** Front ends may differ by seconds; a record without a time of its own is placed by the collector's clock. */
export function timeOf({ record, receivedAt }: FeedRecord): { at: number; clock: string } {
  const at = plausibleTime(record.connection.timeStamp);
  if (at === undefined || at > receivedAt + MOST_AHEAD_MS) return { at: receivedAt, clock: COLLECTOR_CLOCK };
  return { at, clock: `front end ${record.connection.frontEnds[0]?.toLowerCase() ?? ''}` };
}

/** B was never published; it stands between A and C and is taken for A. */
export function isOfA({ record }: FeedRecord): boolean {
  return record.version === 'A' || record.version === 'B';
}

/** Each of the times of a batch is asked for several times over. Longer texts have blanks around them, or are no times. */
const KNOWN_TIMES = 4_096;
const LONGEST_TIME = 40;
const knownTimes = new Map<string, number | undefined>();

/** Before 1970 or after 9998 there were no calls; such a time is a broken clock's and no database's. */
export function plausibleTime(text: string | undefined): number | undefined {
  const known = text === undefined ? undefined : knownTimes.get(text);
  if (known !== undefined) return known;
  const at = epochMillis(text);
  const plausible = at !== undefined && at >= 0 && at < Date.UTC(9999) ? at : undefined;
  if (knownTimes.size >= KNOWN_TIMES) knownTimes.clear();
  if (text !== undefined && text.length <= LONGEST_TIME) knownTimes.set(text, plausible);
  return plausible;
}
