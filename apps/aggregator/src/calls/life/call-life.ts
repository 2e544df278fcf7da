import { isEnd, isError, isInvite, isQuality, type EndEvent, type ErrorEvent } from '@ringdown/xml-schemas/record';
import type { CallState, EndReason } from '../call.js';
import { reportsOfKind } from './event-kinds.js';
import { plausibleTime } from '../feed-record.js';
import type { StreamTable } from '../streams/stream-table.js';
import type { CallTimeouts } from './timeouts.js';
import type { ReportedEvent, Timeline } from './timeline.js';

/** What a call in progress waits for, since when by our clock, and which time-out applies. */
export interface Waiting {
  readonly timeout: 'call' | 'invite' | 'ended';
  readonly since: number;
}

/** The current state of a call and how it was reached. */
export interface CallLife {
  readonly state: CallState;
  /** Undefined while the call is in progress. */
  readonly endReason?: EndReason;
  /** By the clock of the front end that reported it; undefined when no front end did. */
  readonly endedAt?: number;
  /** Our clock, when the call was over as far as is known. */
  readonly overAt?: number;
  /** Undefined when the call is over. */
  readonly waiting?: Waiting;
}

/** The state at `asOf`, milliseconds of our clock: a record that is overdue is considered lost. */
export function lifeOf(timeline: Timeline, streams: StreamTable, timeouts: CallTimeouts, asOf: number): CallLife {
  const life = ended(timeline.events, streams) ?? neverStarted(timeline, streams) ?? started(timeline, streams);
  const { waiting } = life;
  if (waiting === undefined) return life;
  const deadline = waiting.since + timeouts[waiting.timeout];
  if (asOf < deadline) return life;
  if (waiting.timeout === 'ended') return { state: 'ended', endReason: 'reported', overAt: deadline };
  return { state: 'expired', endReason: 'expired', overAt: deadline };
}

/** `Bye` and the `Ended` of 1.0, which does not name a medium. Nothing starts after it: a CallId is used once. */
export function endsOfCall(events: readonly ReportedEvent[]): readonly ReportedEvent<EndEvent>[] {
  return reportsOfKind(events, isEnd).filter(({ event }) => event.kind === 'bye' || event.mediaType === undefined);
}

/** The earliest end counts: the other party's `Bye` and copies from other front ends follow a moment later. */
function ended(events: readonly ReportedEvent[], streams: StreamTable): CallLife | undefined {
  const ends = endsOfCall(events);
  const end = ends.find(({ clock }) => clock === streams.start?.clock) ?? ends[0];
  if (end) return over('ended', 'ended', end.at, Math.min(...ends.map(({ source }) => source.receivedAt)));
  if (!streams.allEnded) return undefined;
  return over('ended', streams.wereEndedByError ? 'error' : 'ended', streams.lastEnd(), streams.endReceivedAt);
}

function neverStarted({ records, events }: Timeline, streams: StreamTable): CallLife | undefined {
  if (!streams.isEmpty) return undefined;
  const failure = attemptFailure(events);
  if (failure) return over('failed', 'error', failure.at, failure.source.receivedAt);
  const since = lastSignOfLife(records);
  // A final report is sent when a call is over, so a call that is only known from one is not in progress.
  const reported = reportsOfKind(events, isQuality).filter(({ event }) => event.kind === 'qualityUpdate');
  if (reported.length > 0) {
    return over('ended', 'reported', undefined, Math.min(...reported.map(({ source }) => source.receivedAt)));
  }
  if (events.length === 0 && records.some(({ record }) => plausibleTime(record.connection.endTime) !== undefined)) {
    return over('ended', 'reported', undefined, Math.min(...records.map(({ receivedAt }) => receivedAt)));
  }
  // Of records with only a header it is not known that anything started.
  return events.length === 0 || reportsOfKind(events, isInvite).length > 0
    ? { state: 'invited', waiting: { timeout: 'invite', since } }
    : undefined;
}

function started({ records }: Timeline, streams: StreamTable): CallLife {
  const state = streams.allHeld ? 'held' : 'active';
  const reportedAt = streams.finalReportReceivedAt;
  if (reportedAt !== undefined) return { state, waiting: { timeout: 'ended', since: reportedAt } };
  return { state, waiting: { timeout: 'call', since: lastSignOfLife(records) } };
}

/**
 * The error that ended the attempt, unless the request was sent again, as after a challenge (diagnostics-feed.md, 3.1).
 */
function attemptFailure(events: readonly ReportedEvent[]): ReportedEvent<ErrorEvent> | undefined {
  let failure: ReportedEvent<ErrorEvent> | undefined;
  /** The highest request number of the later invitations; one without a number may be any of them. */
  let highest = -Infinity;
  for (const report of events.toReversed()) {
    const { cseq } = report.source.record.connection;
    if (isInvite(report.event)) highest = Math.max(highest, cseq ?? Infinity);
    else if (isErrorReport(report) && highest <= (cseq ?? -Infinity)) failure = report;
  }
  return failure;
}

function isErrorReport(report: ReportedEvent): report is ReportedEvent<ErrorEvent> {
  return isError(report.event);
}

/** Our clock. A final report is sent after the call is over, so it does not count as a sign of life. */
function lastSignOfLife(records: Timeline['records']): number {
  const signs = records.filter(({ record: { events } }) => {
    return events.length === 0 || events.some(({ kind }) => kind !== 'qualityUpdate');
  });
  return Math.max(...(signs.length > 0 ? signs : records).map(({ receivedAt }) => receivedAt));
}

function over(state: CallState, endReason: EndReason, endedAt: number | undefined, overAt: number): CallLife {
  return { state, endReason, overAt, ...(endedAt === undefined ? {} : { endedAt }) };
}
