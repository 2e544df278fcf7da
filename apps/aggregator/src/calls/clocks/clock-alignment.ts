import { eventEndpoints, isQuality, type RecordEvent } from '@ringdown/xml-schemas/record';
import { COLLECTOR_CLOCK, type FeedRecord, type RecordTime } from '../feed-record.js';
import { recordTimes } from './record-times.js';

/** The offsets between the clocks of one call. */
export interface ClockAlignment {
  /** Milliseconds to add to times of this clock, so that they can be compared with those of others in its group. */
  readonly offsetOf: (clock: string) => number;
  /** Clocks whose offset is known form a group; between groups the order in time is a guess. */
  readonly groupOf: (clock: string) => string;
}

/**
 * A call passes only a few front ends. Every pair of clocks is compared, so a sender that invents names must not get
 * many.
 */
const CLOCK_LIMIT = 16;

type TimeOf = (record: FeedRecord) => RecordTime;

const ONE_CLOCK: ClockAlignment = { offsetOf: () => 0, groupOf: (clock) => clock };

/**
 * Estimates the offsets from events that several front ends report: reports with the same call, request, medium and
 * sender are the same event (diagnostics-feed.md, 3.4). Depends only on the set of records.
 */
export function alignClocks(records: readonly FeedRecord[], timeOf: TimeOf = recordTimes(records)): ClockAlignment {
  const clocks = new Set(records.map((record) => timeOf(record).clock));
  if (clocks.size < 2 || clocks.size > CLOCK_LIMIT) return ONE_CLOCK;
  const distances = new Distances();
  const frontEnds = [...clocks].filter((clock) => clock !== COLLECTOR_CLOCK).sort();
  addCommonEvents(records, timeOf, distances);
  const offsets = new Map<string, number>();
  const groups = new Map<string, string>();
  for (const first of frontEnds) {
    if (!offsets.has(first)) spread(first, frontEnds, distances, offsets, groups);
  }
  if (clocks.has(COLLECTOR_CLOCK)) placeCollector(records, timeOf, offsets, groups);
  return { offsetOf: (clock) => offsets.get(clock) ?? 0, groupOf: (clock) => groups.get(clock) ?? clock };
}

/** From one clock to all clocks whose offset to one of them is known. */
function spread(
  first: string,
  clocks: readonly string[],
  distances: Distances,
  offsets: Map<string, number>,
  groups: Map<string, string>,
): void {
  offsets.set(first, 0);
  groups.set(first, first);
  const reached = [first];
  for (const known of reached) {
    for (const clock of clocks) {
      const distance = offsets.has(clock) ? undefined : distances.between(known, clock);
      if (distance === undefined) continue;
      offsets.set(clock, (offsets.get(known) ?? 0) + distance);
      groups.set(clock, first);
      reached.push(clock);
    }
  }
}

/** A record without its own time is placed by its time of receipt, in the same way as the records that have one. */
function placeCollector(
  records: readonly FeedRecord[],
  timeOf: TimeOf,
  offsets: Map<string, number>,
  groups: Map<string, string>,
): void {
  const delays = Map.groupBy(
    records.map((record) => ({ ...timeOf(record), receivedAt: record.receivedAt })),
    ({ clock }) => clock,
  );
  const [busiest] = [...delays]
    .filter(([clock]) => clock !== COLLECTOR_CLOCK)
    .sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  if (!busiest) return;
  const [clock, times] = busiest;
  offsets.set(COLLECTOR_CLOCK, (offsets.get(clock) ?? 0) + median(times.map(({ at, receivedAt }) => at - receivedAt)));
  groups.set(COLLECTOR_CLOCK, groups.get(clock) ?? clock);
}

function addCommonEvents(records: readonly FeedRecord[], timeOf: TimeOf, distances: Distances): void {
  const sightings = new Map<string, Map<string, number>>();
  for (const record of records) {
    const { at, clock } = timeOf(record);
    if (clock === COLLECTOR_CLOCK) continue;
    for (const identity of record.record.events.flatMap((event) => eventIdentity(event, record) ?? [])) {
      const byClock = sightings.get(identity) ?? new Map<string, number>();
      sightings.set(identity, byClock.set(clock, Math.min(at, byClock.get(clock) ?? Infinity)));
    }
  }
  for (const byClock of sightings.values()) distances.add([...byClock]);
}

/** The same for all reports of one event. Undefined when the event cannot be distinguished from others of its kind. */
function eventIdentity(event: RecordEvent, { record }: FeedRecord): string | undefined {
  const { cseq, startTime, endTime } = record.connection;
  // A quality report does not belong to a request, but it has the times of the client's clock.
  const request = isQuality(event) ? (startTime ?? endTime) && `${startTime} ${endTime}` : cseq;
  const sender = eventEndpoints(event)[0]?.id?.toLowerCase();
  if (request === undefined || sender === undefined) return undefined;
  return JSON.stringify([event.kind, request, 'mediaType' in event ? event.mediaType : undefined, sender]);
}

/** Offsets between pairs of clocks, from all events that both reported. */
class Distances {
  private readonly samples = new Map<string, number[]>();

  /** Adds one event with its time by every clock that reported it. */
  add(sightings: readonly (readonly [clock: string, at: number])[]): void {
    for (const [clock, at] of sightings) {
      for (const [other, otherAt] of sightings) {
        if (clock >= other) continue;
        const key = JSON.stringify([clock, other]);
        const samples = this.samples.get(key) ?? [];
        samples.push(at - otherAt);
        this.samples.set(key, samples);
      }
    }
  }

  /** Milliseconds by which `clock` is ahead of `other`. */
  between(clock: string, other: string): number | undefined {
    const samples = this.samples.get(JSON.stringify(clock < other ? [clock, other] : [other, clock]));
    if (samples === undefined) return undefined;
    return clock < other ? median(samples) : -median(samples);
  }
}

/** Requires at least one value; returns the lower one of two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? 0;
}
