import { possibleNumber } from '@ringdown/call-catalogue/metrics';
import { thresholdExcess, judge, senderVerdict, type Verdict, worst } from '@ringdown/quality';
import { profileFor, type ThresholdProfiles } from '@ringdown/quality/thresholds';
import type { Endpoint, Metric, QualityEvent } from '@ringdown/xml-schemas/record';
import type { CallCause, CallQuality } from '../call.js';
import type { PartyTable } from '../parties/party-table.js';
import { reportDetailsOf } from '../streams/report-details.js';
import { clientTime, isoTime, knownFrontEnds } from '../streams/report-source.js';
import { reportsByStream, type QualityReport } from '../streams/stream-reports.js';

export interface StreamQuality {
  readonly streamKey: string;
  readonly quality: CallQuality;
}

/**
 * The merged reports on one stream: both parties report, and managers that do not know of each other send halves, so
 * later values are added field by field. Reports made during the call count until there is a final one.
 */
export function streamQualities(
  reports: readonly QualityReport[],
  parties: PartyTable,
  profiles: ThresholdProfiles,
): readonly StreamQuality[] {
  return reportsByStream(reports, parties).map(([key, ofStream]) => {
    const final = ofStream.filter(({ event }) => event.kind === 'qualityUpdate');
    const used = final.length > 0 ? final : ofStream.slice(-1);
    return { streamKey: key, quality: merge(used, final.length > 0, parties, profiles) };
  });
}

/** What made the call as bad as it is: the cause that exceeds its threshold most, of all its worst streams. */
export function worstQualityCause(quality: readonly StreamQuality[], verdict: Verdict): CallCause | null {
  const worstStream = quality
    .flatMap(({ quality: { cause, ...each } }) => (each.verdict === verdict && cause ? [{ ...each, cause }] : []))
    .sort((a, b) => thresholdExcess(b.cause) - thresholdExcess(a.cause))[0];
  if (worstStream === undefined) return null;
  const { mediaType, from, to, cause } = worstStream;
  return { mediaType, from: from?.uri ?? null, to: to?.uri ?? null, ...cause };
}

function merge(
  reports: readonly QualityReport[],
  final: boolean,
  parties: PartyTable,
  profiles: ThresholdProfiles,
): CallQuality {
  const last = <T>(pick: (report: QualityReport) => T | undefined): T | undefined =>
    reports.reduce<T | undefined>((known, report) => pick(report) ?? known, undefined);
  const side = (pick: (event: QualityEvent) => Endpoint | undefined): Endpoint | null =>
    parties.complete(last(({ event }) => pick(event)));

  const mediaType = last(({ event }) => event.mediaType) ?? null;
  const metrics = mergedMetrics(reports.map(({ event }) => event.metrics));
  const codecs = last(({ event }) => (event.codecs.length > 0 ? event.codecs : undefined)) ?? [];
  const limit = last((report) => reportConnection(report).appliedBandwidthLimit);
  // Version 1.0 reports it for the whole call.
  const all = limit === undefined ? metrics : { AppliedBandwidthLimit: { value: limit }, ...metrics };
  // Of several senders, the newest report decides: they rarely write different versions.
  const version = profileFor(last(({ source }) => source.record.version));
  const own = judge({ mediaType, codecs, metrics: all }, profiles[version]);
  const sent = worst(reports.map(({ event }) => senderVerdict(event.streamQuality)));
  return {
    mediaType,
    from: side(({ from }) => from),
    to: side(({ to }) => to),
    final,
    reportedAt: isoTime(Math.max(...reports.map(({ at }) => at))),
    reporters: [...new Set(reports.flatMap((report) => reportConnection(report).originator ?? []))],
    frontEnds: knownFrontEnds(reports.map(({ source }) => source)),
    startTime: clientTime(last((report) => reportConnection(report).startTime)) ?? null,
    endTime: clientTime(last((report) => reportConnection(report).endTime)) ?? null,
    connectivity: last((report) => reportConnection(report).connectivity) ?? null,
    metrics,
    codecs,
    senderVerdict: sent,
    ownVerdict: own.verdict,
    // An absent metric does not override any verdict. The sender judges every stream, also one of a few packets.
    verdict: own.measured ? own.verdict : worst([sent, own.verdict]),
    cause: own.cause?.thresholdFrom === 'profile' ? { ...own.cause, profile: version } : own.cause,
    withheld: own.withheld,
    assumedZero: own.assumedZero,
    version,
    ...reportDetailsOf(reports.map(({ event }) => event)),
  };
}

/** The last value of each metric; an impossible one replaces no possible one. */
function mergedMetrics(all: readonly QualityEvent['metrics'][]): QualityEvent['metrics'] {
  const merged = new Map<string, Metric>();
  for (const [name, metric] of all.flatMap((metrics) => Object.entries(metrics))) {
    const isWorse = typeof metric.value === 'number' && possibleNumber(name, metric) === undefined;
    if (!isWorse || !merged.has(name)) merged.set(name, metric);
  }
  return Object.fromEntries(merged);
}

function reportConnection({ source }: QualityReport): QualityReport['source']['record']['connection'] {
  return source.record.connection;
}
