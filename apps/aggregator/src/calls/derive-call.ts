import { isUploadFeed } from '@ringdown/contracts/uploads';
import { worst } from '@ringdown/quality';
import { defaultProfiles, type ThresholdProfiles } from '@ringdown/quality/thresholds';
import { eventEndpoints, isError, isInvite, isQuality, isStream, schemaVersion } from '@ringdown/xml-schemas/record';
import type { Call, CallDuration, CallQuality } from './call.js';
import { clocksOf } from './clocks/call-clocks.js';
import { errorsOf } from './life/call-errors.js';
import { detailsOf } from './call-details.js';
import { callEnd } from './life/call-end.js';
import { endsOfCall, lifeOf, type Waiting } from './life/call-life.js';
import { callLinks } from './life/call-links.js';
import { setupOf } from './life/call-setup.js';
import { audioVerdict, callAudio } from './quality/call-audio.js';
import { worstQualityCause, streamQualities, type StreamQuality } from './quality/call-quality.js';
import { settlementOf } from './life/call-settlement.js';
import { qualityCoverage } from './quality/coverage.js';
import { defaultDiagnosticsTexts, type DiagnosticsTexts } from './quality/diagnostics-texts.js';
import { reportsOfKind } from './life/event-kinds.js';
import { plausibleTime, feedRecordTime, type FeedRecord } from './feed-record.js';
import { mediaPath } from './streams/media-path.js';
import { callRoles } from './parties/call-roles.js';
import { devicesOf } from './parties/party-devices.js';
import { PartyTable } from './parties/party-table.js';
import { isoTime, knownFeeds, knownFrontEnds, knownPools } from './streams/report-source.js';
import { StreamTable } from './streams/stream-table.js';
import { callTimeline, type ReportedEvent, type Timeline } from './life/timeline.js';
import { defaultTimeouts, type CallTimeouts } from './life/timeouts.js';

/** The rules that an operator can configure. */
export interface CallRules {
  readonly thresholds: ThresholdProfiles;
  readonly timeouts: CallTimeouts;
  readonly diagnosticsTexts: DiagnosticsTexts;
}

export const defaultRules: CallRules = {
  thresholds: defaultProfiles,
  timeouts: defaultTimeouts,
  diagnosticsTexts: defaultDiagnosticsTexts,
};

/** The effects of time on a call, which are not in the records. */
export interface CallHistory {
  /** Our clock, when the call was last checked and something had changed. */
  readonly checkedAt: number | undefined;
  /** How many times that happened. */
  readonly revisions: number;
}

export const NO_HISTORY: CallHistory = { checkedAt: undefined, revisions: 0 };

export interface DerivedCall {
  readonly call: Call;
  /** Undefined when the call is over. */
  readonly waiting: Waiting | undefined;
}

/** See {@link deriveCall}. */
export type DeriveCall = (records: readonly FeedRecord[], rules: CallRules, history: CallHistory) => DerivedCall;

/**
 * The call that its records describe. It depends only on the set of records and the time up to which it was checked:
 * the records are sorted first, so it does not matter in which order, how often and through which collector they
 * arrived. The records belong to one call, each once, and there is at least one.
 */
export function deriveCall(
  all: readonly FeedRecord[],
  rules: CallRules = defaultRules,
  history: CallHistory = NO_HISTORY,
): DerivedCall {
  const timeline = callTimeline(evidenceOf(all));
  const { records: ordered, events } = timeline;
  const [first] = ordered;
  if (first === undefined) throw new Error('a call has at least one record');
  const received = ordered.map(({ receivedAt }) => receivedAt);
  const asOf = Math.max(...received, history.checkedAt ?? 0);

  const parties = new PartyTable(events.flatMap(({ event }) => eventEndpoints(event)));
  const streams = new StreamTable(events, parties);
  const reports = reportsOfKind(events, isQuality);
  const quality = streamQualities(reports, parties, rules.thresholds);
  const life = lifeOf(timeline, streams, rules.timeouts, asOf);
  const { endedAt, overAt } = life;
  const settlement = overAt === undefined ? undefined : settlementOf(ordered, overAt, rules.timeouts);
  const started = streams.start;
  const duration = measuredCallDuration(timeline, streams);
  const links = callLinks(timeline, parties.addresses);
  const devices = devicesOf(
    reports.map(({ event }) => event),
    parties,
  );
  const sides = parties.parties(devices);
  const { caller, callees } = callRoles({ parties: sides });
  const audio = callAudio({
    quality,
    streams: streams.expected,
    parties,
    isOver: overAt !== undefined,
    duration,
    isConference: links.conferenceId !== null,
    caller,
    records: ordered,
  });
  const verdict = worst([...quality.map(({ quality: each }) => each.verdict), audioVerdict(audio)]);
  const call: Call = {
    callId: first.record.connection.callId,
    state: life.state,
    endReason: life.endReason ?? null,
    end: callEnd(timeline, life, {
      texts: rules.diagnosticsTexts,
      trunks: callees.flatMap(({ trunk }) => trunk ?? []),
    }),
    verdict,
    cause: worstQualityCause(quality, verdict),
    audio,
    coverage: qualityCoverage(streams.directions, quality),
    partial: isPartial(events),
    version: all.length + history.revisions,
    feeds: knownFeeds(ordered),
    frontEnds: knownFrontEnds(ordered),
    pools: knownPools(ordered),
    beganAt: isoTime(started?.at ?? feedRecordTime(first).at),
    startedAt: optionalTime(started?.at),
    endedAt: optionalTime(endedAt),
    duration,
    ...setupOf(timeline, streams),
    firstReceivedAt: isoTime(Math.min(...received)),
    lastReceivedAt: isoTime(Math.max(...received)),
    settlesAt: optionalTime(settlement?.settlesAt),
    lateRecords: settlement?.lateRecords ?? 0,
    clocks: clocksOf(timeline, parties),
    ...links,
    details: detailsOf(timeline, rules.diagnosticsTexts),
    parties: sides,
    streams: streams.toStreams(
      overAt !== undefined,
      endedAt,
      new Map(quality.map((each) => [each.streamKey, each.quality])),
    ),
    errors: errorsOf(reportsOfKind(events, isError), parties, rules.diagnosticsTexts),
    quality: quality.map((each) => withPath(each, streams)),
  };
  return { call, waiting: life.waiting };
}

/**
 * An operator can upload a capture with the CallId of any call. It changes nothing in the calls that front ends report: their records
 * are the evidence, and those of uploads only where there are no others.
 */
function evidenceOf(records: readonly FeedRecord[]): readonly FeedRecord[] {
  const reported = records.filter(({ feed }) => !isUploadFeed(feed));
  return reported.length > 0 ? reported : records;
}

/** The report of one end often does not know the relay of the other, or its own of the beginning. */
function withPath({ streamKey, quality }: StreamQuality, streams: StreamTable): CallQuality {
  const ends = [quality.from, quality.to, ...streams.endsOf(streamKey)];
  return { ...quality, path: mediaPath(ends, quality.connectivity) };
}

/**
 * Whether some of it was missed: media without a start, or a failure that later versions report with its invitation.
 */
function isPartial(events: readonly ReportedEvent[]): boolean {
  if (events.some(({ event }) => isStream(event) && event.kind !== 'update')) return false;
  const errors = reportsOfKind(events, isError);
  if (errors.length > 0 && errors.length === events.length) return errors.some(({ source }) => isLater(source));
  const hasMedia = events.some(({ event }) => isStream(event) || isQuality(event));
  const failed = errors.length > 0;
  const ends = endsOfCall(events);
  // A call that was not established has no `Bye`, whatever else was rejected in it.
  const hasBye = ends.some(({ event }) => event.kind === 'bye');
  return hasMedia || hasBye || (ends.length > 0 && !failed) || !events.some(({ event }) => isInvite(event));
}

function isLater({ record }: FeedRecord): boolean {
  return schemaVersion(record) !== '1.0';
}

/**
 * Measured by one clock. One of several front ends may have missed the start or the first end: the longest duration is
 * right.
 */
function measuredCallDuration({ records, events }: Timeline, streams: StreamTable): CallDuration | null {
  const ends = endsOfCall(events);
  const byFrontEnd = streams.starts().flatMap(({ at, clock }) => {
    const end = ends.find((each) => each.clock === clock)?.at;
    const until = end ?? (streams.allEnded ? streams.lastEnd(clock) : undefined);
    return until === undefined || until < at ? [] : until - at;
  });
  if (byFrontEnd.length > 0) return { seconds: Math.max(...byFrontEnd) / 1_000, clock: 'frontEnd' };
  for (const { record } of records) {
    const start = plausibleTime(record.connection.startTime);
    const end = plausibleTime(record.connection.endTime);
    if (start !== undefined && end !== undefined && end >= start) {
      return { seconds: (end - start) / 1_000, clock: 'client' };
    }
  }
  return null;
}

function optionalTime(at: number | undefined): string | null {
  return at === undefined ? null : isoTime(at);
}
