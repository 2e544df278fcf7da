import { isError, type RecordEvent } from '@ringdown/xml-schemas/record';
import { alignClocks } from '../clocks/clock-alignment.js';
import { recordTimes } from '../clocks/record-times.js';
import { isOfA, type FeedRecord } from '../feed-record.js';

/** One event of a record, with the time and the clock of its report. */
export interface ReportedEvent<E extends RecordEvent = RecordEvent> {
  readonly event: E;
  /** Milliseconds since 1970 by `clock`. */
  readonly at: number;
  /** Times of different clocks are never subtracted from each other. */
  readonly clock: string;
  /** The same moment after aligning the clocks of its group: for comparing, not for showing. */
  readonly aligned: number;
  /** Events by clocks of one group are in their true order, others as well as can be estimated. */
  readonly group: string;
  readonly source: FeedRecord;
}

/** The position of a record among those of its call. */
export interface PlacedRecord {
  readonly record: FeedRecord;
  /** See {@link ReportedEvent}. */
  readonly at: number;
  readonly clock: string;
  readonly aligned: number;
}

export interface Timeline {
  readonly placed: readonly PlacedRecord[];
  readonly records: readonly FeedRecord[];
  readonly events: readonly ReportedEvent[];
}

/**
 * The one order in which a call's records are processed, regardless of the order of arrival: by time after aligning the
 * clocks, ends last, then by the request number, the error of a request after it, then by content.
 */
export function callTimeline(records: readonly FeedRecord[]): Timeline {
  const timeOf = recordTimes(records);
  const { offsetOf, groupOf } = alignClocks(records, timeOf);
  const placed = records
    .map((record) => {
      const { at, clock } = timeOf(record);
      const time = { at, clock, aligned: at + offsetOf(clock), fraction: fractionOf(record) };
      return { record, ...time, rank: endRank(record), ...requestOf(record) };
    })
    .sort(
      (a, b) =>
        a.aligned - b.aligned ||
        compare(a.fraction, b.fraction) ||
        a.rank - b.rank ||
        a.request - b.request ||
        a.failed - b.failed ||
        compare(a.record.digest, b.record.digest) ||
        compare(a.record.id, b.record.id),
    );
  return {
    placed,
    records: placed.map(({ record }) => record),
    events: placed.flatMap(({ record: source, at, clock, aligned }) =>
      reportedEvents(source).map((event) => ({ event, at, clock, aligned, group: groupOf(clock), source })),
    ),
  };
}

/** A may not mention any stream when all of them are on hold (diagnostics-feed.md, 2.2). */
const ALL_ON_HOLD: RecordEvent = { kind: 'update', codecs: [] };

function reportedEvents(source: FeedRecord): readonly RecordEvent[] {
  const { events, outcome } = source.record;
  return events.length === 0 && outcome === undefined && isOfA(source) ? [ALL_ON_HOLD] : events;
}

/** Senders write seven fractional digits, more than a number of milliseconds can hold. */
function fractionOf({ record }: FeedRecord): string {
  return /[.](\d{1,12})/.exec(record.connection.timeStamp ?? '')?.[1]?.padEnd(12, '0') ?? '';
}

function endRank({ record }: FeedRecord): number {
  return record.events.some(({ kind }) => kind === 'ended' || kind === 'bye') ? 1 : 0;
}

/** An error without a number may be that of any request: it is after all of them, and a request without a number before all. */
function requestOf({ record: { connection, events } }: FeedRecord): { request: number; failed: 0 | 1 } {
  const failed = events.some(isError) ? 1 : 0;
  return { request: connection.cseq ?? (failed ? Number.MAX_VALUE : -1), failed };
}

/** By code units: the same on every machine, unlike a locale's order. */
function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
