import { recordFeed } from '@ringdown/contracts/feed-of';
import type { PublishedRecord } from '@ringdown/contracts/records';
import { epochMillis } from '@ringdown/xml-schemas/fields';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { hash } from 'node:crypto';

/** One record of a call, as the fold sees it. */
export interface FeedRecord {
  /** Assigned by the collector; a record that the bus delivers twice has the same id. */
  readonly id: string;
  /** Digest of the document as received: two front ends or managers may send copies. */
  readonly digest: string;
  /** Length of the document in characters. */
  readonly size: number;
  /** The collector's clock, milliseconds since 1970. */
  readonly receivedAt: number;
  /** See `recordFeed`. */
  readonly feed: string;
  /** Who sent it on which connection, if it is known; null as stored. */
  readonly remoteAddress?: string | null | undefined;
  readonly certificateSubject?: string | null | undefined;
  readonly record: DiagnosticsRecord;
}

export function feedRecord(published: PublishedRecord): FeedRecord {
  const { id, receivedAt, record, xml, remoteAddress, certificateSubject } = published;
  const sentBy = { remoteAddress, certificateSubject };
  const feed = recordFeed(record, sentBy);
  return { id, digest: documentDigest(xml), size: xml.length, receivedAt, feed, ...sentBy, record };
}

/** Sealed calls are stored without the digests of their records: another digest needs another form (sealed-call.ts). */
export function documentDigest(xml: string | Buffer): string {
  return hash('sha256', xml, 'base64url').slice(0, 22);
}

/** The clock of records without their own time. */
export const COLLECTOR_CLOCK = 'collector';

/**
 * Nothing is sent before it happens. A clock may be wrong by its time zone; a time that is further ahead of its receipt
 * is not accepted: the call would be the newest one for years.
 */
export const MOST_AHEAD_MS = 86_400_000;

/** When a record was sent, and by which clock. */
export interface RecordTime {
  readonly at: number;
  readonly clock: string;
}

/** Feeds may differ by seconds; a record without its own time is placed by the collector's clock. */
export function feedRecordTime({ record, receivedAt, feed }: FeedRecord): RecordTime {
  const at = plausibleTime(record.connection.timeStamp);
  if (at === undefined || at > receivedAt + MOST_AHEAD_MS) return { at: receivedAt, clock: COLLECTOR_CLOCK };
  return { at, clock: feedClock(feed) };
}

export function feedClock(feed: string): string {
  return `feed ${feed.toLowerCase()}`;
}

/** B was never published; it is between A and C and is treated as A. */
export function isOfA({ record }: FeedRecord): boolean {
  return record.version === 'A' || record.version === 'B';
}

/** Each time of a batch is looked up several times. Longer texts contain blanks or are not times. */
const KNOWN_TIMES = 4_096;
const LONGEST_TIME = 40;
const knownTimes = new Map<string, number | undefined>();

/**
 * Before 1970 and after 9998 there are no calls; such a time comes from a broken clock, and no database could store it.
 */
export function plausibleTime(text: string | undefined): number | undefined {
  const known = text === undefined ? undefined : knownTimes.get(text);
  if (known !== undefined) return known;
  const at = epochMillis(text);
  const plausible = at !== undefined && at >= 0 && at < Date.UTC(9999) ? at : undefined;
  if (knownTimes.size >= KNOWN_TIMES) knownTimes.clear();
  if (text !== undefined && text.length <= LONGEST_TIME) knownTimes.set(text, plausible);
  return plausible;
}
