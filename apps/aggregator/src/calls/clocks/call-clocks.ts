import { isQuality, type Endpoint, type QualityEvent } from '@ringdown/xml-schemas/record';
import type { ClockSkew } from '../call.js';
import { median } from './clock-alignment.js';
import { reportsOfKind } from '../life/event-kinds.js';
import { COLLECTOR_CLOCK, plausibleTime } from '../feed-record.js';
import type { PartyTable } from '../parties/party-table.js';
import type { ReportedEvent, Timeline } from '../life/timeline.js';

/** A call passes only a few front ends and has a few endpoints. */
const CLOCK_LIMIT = 16;

/**
 * How far the clocks of a call differ: those of the feeds from ours, which includes the transport time to us, and
 * those of the endpoints from the front end that forwarded their report (diagnostics-feed.md, 3.8).
 */
export function clocksOf({ placed, events }: Timeline, parties: PartyTable): readonly ClockSkew[] {
  const samples = new Map<string, { clock: ClockSkew['clock']; name: string | null; millis: number[] }>();
  const add = (clock: ClockSkew['clock'], name: string | null, millis: number): void => {
    const key = `${clock} ${name?.toLowerCase() ?? ''}`;
    const known = samples.get(key);
    if (known) known.millis.push(millis);
    else if (samples.size < CLOCK_LIMIT) samples.set(key, { clock, name, millis: [millis] });
  };
  for (const { record } of placed) {
    // The time as written, even when it is not plausible.
    const sentAt = plausibleTime(record.record.connection.timeStamp);
    const { feed, receivedAt } = record;
    if (sentAt !== undefined) add('frontEnd', feed === '' ? null : feed, receivedAt - sentAt);
  }
  for (const report of reportsOfKind(events, isQuality)) {
    const endTime = plausibleTime(report.source.record.connection.endTime);
    if (endTime === undefined || report.clock === COLLECTOR_CLOCK) continue;
    add('endpoint', endpointName(parties.complete(reporterOf(report))), report.at - endTime);
  }
  return [...samples.values()].map(({ clock, name, millis }) => {
    return { clock, name, skewSeconds: median(millis) / 1_000, records: millis.length };
  });
}

/** Named by the record, or the only end that describes its machine: no one knows that of the other end. */
function reporterOf({ event, source }: ReportedEvent<QualityEvent>): Endpoint | undefined {
  const { originator } = source.record.connection;
  if (originator !== undefined) return { epId: originator };
  const ends = [event.from, event.to].filter((end) => end?.os !== undefined || end?.cpuName !== undefined);
  return ends.length === 1 ? ends[0] : undefined;
}

function endpointName(endpoint: Endpoint | null): string | null {
  return endpoint?.epId ?? endpoint?.id ?? endpoint?.uri ?? null;
}
