import type { MetricPoint, MetricSeries } from '@ringdown/answers/quality';
import { judgedMetrics, streamMos } from '@ringdown/quality';
import { profileFor, type ThresholdProfiles } from '@ringdown/quality/thresholds';
import { eventEndpoints, isQuality } from '@ringdown/xml-schemas/record';
import { reportsOfKind } from '../life/event-kinds.js';
import type { FeedRecord } from '../feed-record.js';
import { PartyTable } from '../parties/party-table.js';
import { isoTime } from './report-source.js';
import { reportsByStream, type QualityReport } from './stream-reports.js';
import { callTimeline } from '../life/timeline.js';

/** One report beside the stream that it is about. */
export interface StreamPoint extends Omit<MetricSeries, 'points'>, MetricPoint {}

/** Of one stream; the newest are kept. Five hours of a report every ten seconds. */
const POINTS_LIMIT = 2_000;

interface ReportsOfStream extends Omit<MetricSeries, 'points'> {
  readonly reports: readonly QualityReport[];
}

/** How the quality of each stream of a call changed, by all reports on it. */
export function metricSeries(records: readonly FeedRecord[], profiles: ThresholdProfiles): readonly MetricSeries[] {
  return streamsOf(records).map(({ reports, ...stream }) => {
    return { ...stream, points: reports.map((report) => pointOf(report, profiles)) };
  });
}

/** The same reports in the order of their times, each with an id that stays the same, judged when it is needed. */
export function streamPoints(
  records: readonly FeedRecord[],
  profiles: ThresholdProfiles,
): readonly { readonly id: string; readonly point: () => StreamPoint }[] {
  const reports = streamsOf(records).flatMap(({ reports: ofStream, ...stream }) =>
    ofStream.map((report) => ({ report, stream })),
  );
  return reports
    .sort((one, other) => one.report.aligned - other.report.aligned)
    .map(({ report, stream }) => {
      const { source, event } = report;
      const id = `${source.digest} ${source.record.events.indexOf(event)}`;
      return { id, point: () => ({ ...stream, ...pointOf(report, profiles) }) };
    });
}

function streamsOf(records: readonly FeedRecord[]): readonly ReportsOfStream[] {
  const { events } = callTimeline(records);
  const parties = new PartyTable(events.flatMap(({ event }) => eventEndpoints(event)));
  return reportsByStream(reportsOfKind(events, isQuality), parties).flatMap(([, reports]) => {
    const [first] = reports;
    if (first === undefined) return [];
    const { from, to, mediaType } = first.event;
    return {
      mediaType: mediaType ?? null,
      from: parties.complete(from),
      to: parties.complete(to),
      reports: reports.slice(-POINTS_LIMIT),
    };
  });
}

function pointOf({ event, at, source }: QualityReport, profiles: ThresholdProfiles): MetricPoint {
  const version = profileFor(source.record.version);
  const measured = { mediaType: event.mediaType ?? null, codecs: event.codecs, metrics: event.metrics, version };
  const final = event.kind === 'qualityUpdate';
  return { at: isoTime(at), final, metrics: judgedMetrics(measured, profiles), mos: streamMos(measured, profiles) };
}
