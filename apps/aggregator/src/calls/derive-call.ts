import { endpointsOf, isEnd, isError, isInvite, isQuality, isStream, type EndEvent } from '@ringdown/xml-schemas';
import type { Call, CallDuration, CallState } from './call.js';
import { errorsOf } from './call-errors.js';
import { qualityOf } from './call-quality.js';
import { StreamTable } from './call-streams.js';
import { isFinalQuality, reportsOf } from './event-kinds.js';
import { eventsOf, inOrder, plausibleTime, timeOf, type FeedRecord, type ReportedEvent } from './feed-record.js';
import { PartyTable } from './party-table.js';
import { isoTime, knownFrontEnds } from './report-source.js';
import { defaultThresholds, type ThresholdProfile } from './thresholds.js';
import { worst } from './verdict.js';

/**
 * The call that its records tell of. It depends on nothing but the set of records: they are put in one order first, so
 * it does not matter in which order, how often and through which collector they came. `records` are of one call,
 * each once, and at least one.
 */
export function deriveCall(records: readonly FeedRecord[], profile: ThresholdProfile = defaultThresholds): Call {
  const ordered = inOrder(records);
  const events = eventsOf(ordered);
  const parties = new PartyTable(events.flatMap(({ event }) => endpointsOf(event)));
  const streams = new StreamTable(events, parties);
  const quality = qualityOf(reportsOf(events, isQuality), parties, profile);
  const ends = reportsOf(events, isEnd).filter(endsTheCall);

  const started = streams.start;
  const ended = endTime(ends, streams);
  const [first] = ordered;
  if (first === undefined) throw new Error('a call has at least one record');
  const verdicts = new Map(quality.map(({ streamKey, quality: { verdict } }) => [streamKey, verdict]));
  const last = (pick: (connection: FeedRecord['record']['connection']) => string | undefined): string | null =>
    ordered.reduce<string | null>((known, { record }) => pick(record.connection) ?? known, null);
  return {
    callId: first.record.connection.callId,
    state: stateOf(events, streams, ended !== undefined),
    verdict: worst(quality.map(({ quality: { verdict } }) => verdict)),
    partial: !events.some(tellsTheBeginning),
    version: ordered.length,
    frontEnds: knownFrontEnds(ordered),
    beganAt: isoTime(started?.at ?? timeOf(first).at),
    startedAt: started === undefined ? null : isoTime(started.at),
    endedAt: ended === undefined ? null : isoTime(ended),
    duration: durationOf(ordered, streams, ends),
    conversationId: last(({ conversationId }) => conversationId),
    conferenceId: last(({ conferenceId }) => conferenceId),
    correlationId: last(({ correlationId }) => correlationId),
    parties: parties.parties,
    streams: streams.toStreams(ended, verdicts),
    errors: errorsOf(reportsOf(events, isError), parties),
    quality: quality.map((each) => each.quality),
  };
}

function tellsTheBeginning({ event }: ReportedEvent): boolean {
  return isInvite(event) || (isStream(event) && event.kind !== 'update');
}

/** `Bye` and the `Ended` of 1.0, which names no medium. Nothing starts after it: a CallId is used once. */
function endsTheCall({ event }: ReportedEvent<EndEvent>): boolean {
  return event.kind === 'bye' || event.mediaType === undefined;
}

/** The earliest end: the other party's goodbye and copies of other front ends follow a moment later. */
function endTime(ends: readonly ReportedEvent<EndEvent>[], streams: StreamTable): number | undefined {
  const sameClock = ends.find(({ clock }) => clock === streams.start?.clock);
  const end = sameClock ?? ends[0];
  return end?.at ?? (streams.allEnded ? streams.lastEnd() : undefined);
}

function stateOf(reports: readonly ReportedEvent[], streams: StreamTable, ended: boolean): CallState {
  if (ended) return 'ended';
  if (streams.size > 0) return streams.allHeld ? 'held' : 'active';
  if (reportsOf(reports, isError).length > 0) return 'failed';
  if (reportsOf(reports, isInvite).length > 0) return 'invited';
  // A final report is sent when a call is over, so a call known by that alone is not going on.
  return reportsOf(reports, isFinalQuality).length > 0 ? 'ended' : 'active';
}

function durationOf(
  records: readonly FeedRecord[],
  streams: StreamTable,
  ends: readonly ReportedEvent<EndEvent>[],
): CallDuration | null {
  for (const start of streams.starts()) {
    const end = ends.find(({ clock }) => clock === start.clock)?.at;
    const until = end ?? (streams.allEnded ? streams.lastEnd(start.clock) : undefined);
    if (until !== undefined && until >= start.at) return { seconds: (until - start.at) / 1_000, clock: 'frontEnd' };
  }
  for (const { record } of records) {
    const start = plausibleTime(record.connection.startTime);
    const end = plausibleTime(record.connection.endTime);
    if (start !== undefined && end !== undefined && end >= start) {
      return { seconds: (end - start) / 1_000, clock: 'client' };
    }
  }
  return null;
}
