import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { ConnectionInfo, DiagnosticsRecord, RecordEvent } from '@ringdown/xml-schemas/record';
import { callDuration, qualityContext } from './quality-context.js';
import type { Report } from './report.js';
import { timeText } from './time-text.js';
import type { TrackedCall } from '../tracked-call.js';

/** Most messages, and most calls when they are checked, make no record. */
export const NO_RECORDS: readonly DiagnosticsRecord[] = [];

/** Makes the records of the calls of one front end, in version D. */
export class CallRecords {
  constructor(private readonly frontEnd: string) {}

  ofReports(
    reports: readonly Report[],
    tracked: TrackedCall,
    about: Partial<ConnectionInfo> = {},
  ): readonly DiagnosticsRecord[] {
    if (reports.length === 0) return NO_RECORDS;
    return reports.flatMap(({ events, at = tracked.lastCapturedAt, extensions }) =>
      this.record(tracked, events, withoutAbsent({ ...about, timeStamp: timeText(at), further: extensions })),
    );
  }

  /** The quality so far, if it is due. `now`: by a monotonic clock. */
  duringCall(tracked: TrackedCall, now: number, periodMs: number): readonly DiagnosticsRecord[] {
    const { call, quality } = tracked;
    if (!quality.hasNews) return NO_RECORDS;
    const callMs = tracked.answeredSeenAt === undefined ? undefined : now - tracked.answeredSeenAt;
    const events = quality.duringCall(call.parties, now, periodMs, callMs);
    return this.record(tracked, events, atLastReport(tracked));
  }

  /** The quality of the whole call, or so far if its end was not captured. */
  lastQuality(tracked: TrackedCall): readonly DiagnosticsRecord[] {
    const { call, quality } = tracked;
    if (!quality.hasUnreported) return NO_RECORDS;
    const times = call.state === 'over' ? {} : atLastReport(tracked);
    const events = quality.flush(call.parties, callDuration(call));
    return this.record(tracked, events, { ...times, ...qualityContext(call, quality) });
  }

  private record(
    { callId, conversationId, lastCapturedAt }: TrackedCall,
    events: readonly RecordEvent[],
    more: Partial<ConnectionInfo>,
  ): readonly DiagnosticsRecord[] {
    if (events.length === 0) return NO_RECORDS;
    const timeStamp = timeText(lastCapturedAt);
    const connection = { callId, frontEnds: [this.frontEnd], timeStamp, conversationId, ...more };
    return [{ version: 'D', connection, events }];
  }
}

function atLastReport({ lastReportAt, lastCapturedAt }: TrackedCall): Pick<ConnectionInfo, 'timeStamp'> {
  return { timeStamp: timeText(lastReportAt ?? lastCapturedAt) };
}
