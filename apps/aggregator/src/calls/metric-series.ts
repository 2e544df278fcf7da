import { endpointsOf, isQuality, type Endpoint } from '@ringdown/xml-schemas';
import { reportsOf } from './event-kinds.js';
import type { FeedRecord } from './feed-record.js';
import { judgedMetrics, type JudgedMetric } from './judged-metrics.js';
import { PartyTable } from './party-table.js';
import { isoTime } from './report-source.js';
import { mosOf, type StreamMos } from './stream-mos.js';
import { streamKey } from './stream-key.js';
import type { ThresholdProfile } from './thresholds.js';
import { timelineOf } from './timeline.js';

/** One report on a stream. */
export interface MetricPoint {
  /** Clock of the front end. */
  readonly at: string;
  /** False for averages during the call. */
  readonly final: boolean;
  readonly metrics: Readonly<Record<string, JudgedMetric>>;
  readonly mos: StreamMos;
}

/** The reports on one medium in one direction, in the order of their times. */
export interface MetricSeries {
  readonly mediaType: string | null;
  readonly from: Endpoint | null;
  readonly to: Endpoint | null;
  readonly points: readonly MetricPoint[];
}

/** A call has only a handful of streams; what a broken sender adds beyond this is ignored. */
const SERIES_LIMIT = 64;
/** Of one stream; the newest are kept. Five hours of a report every ten seconds. */
const POINTS_LIMIT = 2_000;

/** How the quality of each stream of a call changed, by all reports on it. */
export function metricSeries(records: readonly FeedRecord[], profile: ThresholdProfile): readonly MetricSeries[] {
  const { events } = timelineOf(records);
  const parties = new PartyTable(events.flatMap(({ event }) => endpointsOf(event)));
  const byStream = Map.groupBy(reportsOf(events, isQuality), ({ event }) => streamKey(event, parties));
  return [...byStream.values()].slice(0, SERIES_LIMIT).flatMap((reports) => {
    const [first] = reports;
    if (first === undefined) return [];
    const { from, to, mediaType } = first.event;
    const points = reports.slice(-POINTS_LIMIT).map(({ event, at }): MetricPoint => {
      const measured = { mediaType: event.mediaType ?? null, codecs: event.codecs, metrics: event.metrics };
      const final = event.kind === 'qualityUpdate';
      return { at: isoTime(at), final, metrics: judgedMetrics(measured, profile), mos: mosOf(measured, profile) };
    });
    return { mediaType: mediaType ?? null, from: parties.complete(from), to: parties.complete(to), points };
  });
}
