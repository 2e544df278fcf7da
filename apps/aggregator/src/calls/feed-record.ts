import type { PublishedRecord } from '@ringdown/bus';
import { epochMillis, type DiagnosticsRecord, type RecordEvent } from '@ringdown/xml-schemas';
import { createHash } from 'node:crypto';

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
  const digest = createHash('sha256').update(xml, 'utf8').digest('base64url').slice(0, 22);
  return { id, digest, size: xml.length, receivedAt, record };
}

/** One event of a record with when and by whom it was reported. */
export interface ReportedEvent<E extends RecordEvent = RecordEvent> {
  readonly event: E;
  /** Milliseconds since 1970 by `clock`. */
  readonly at: number;
  /** Times of different clocks are never subtracted from each other. */
  readonly clock: string;
  readonly source: FeedRecord;
}

/** Front ends may differ by seconds; a record without a time of its own is placed by the collector's clock. */
export function timeOf({ record, receivedAt }: FeedRecord): { at: number; clock: string } {
  const at = plausibleTime(record.connection.timeStamp);
  if (at === undefined) return { at: receivedAt, clock: 'collector' };
  return { at, clock: `front end ${record.connection.frontEnds[0]?.toLowerCase() ?? ''}` };
}

/** Before 1970 or after 9998 there were no calls; such a time is a broken clock's and no database's. */
export function plausibleTime(text: string | undefined): number | undefined {
  const at = epochMillis(text);
  return at !== undefined && at >= 0 && at < Date.UTC(9999) ? at : undefined;
}

/** The one order in which a call's records are read, however they arrived: by time, ends last, then by content. */
export function inOrder(records: readonly FeedRecord[]): readonly FeedRecord[] {
  return records
    .map((record) => ({ record, at: timeOf(record).at, fraction: fractionOf(record), rank: rankOf(record) }))
    .sort(
      (a, b) =>
        a.at - b.at ||
        compare(a.fraction, b.fraction) ||
        a.rank - b.rank ||
        compare(a.record.digest, b.record.digest) ||
        compare(a.record.id, b.record.id),
    )
    .map(({ record }) => record);
}

export function eventsOf(records: readonly FeedRecord[]): readonly ReportedEvent[] {
  return records.flatMap((source) => {
    const time = timeOf(source);
    return source.record.events.map((event) => ({ event, ...time, source }));
  });
}

/** Senders write seven fractional digits, more than a number of milliseconds holds. */
function fractionOf({ record }: FeedRecord): string {
  return /[.](\d{1,12})/.exec(record.connection.timeStamp ?? '')?.[1]?.padEnd(12, '0') ?? '';
}

function rankOf({ record }: FeedRecord): number {
  return record.events.some(({ kind }) => kind === 'ended' || kind === 'bye') ? 1 : 0;
}

/** By code units: the same on every machine, unlike the order of a language. */
function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
