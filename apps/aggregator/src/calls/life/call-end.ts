import { isEnd, isError, type EndEvent, type ErrorEvent, type Outcome } from '@ringdown/xml-schemas/record';
import { outcomeDiagnostics } from '../quality/call-diagnostics.js';
import type { CallEnd } from '../call.js';
import { endsOfCall, type CallLife } from './call-life.js';
import { isFault, refusalIn } from './call-outcome.js';
import type { DiagnosticsTexts } from '../quality/diagnostics-texts.js';
import { reportsOfKind } from './event-kinds.js';
import { mergeExtensions } from '../parties/merge-endpoints.js';
import type { ReportedEvent, Timeline } from './timeline.js';

type EndReport = ReportedEvent<EndEvent | ErrorEvent>;

/** Several front ends and both parties report one end, each with its own texts. */
export const DIAGNOSTICS_LIMIT = 20;

interface EndContext {
  readonly texts: DiagnosticsTexts;
  /** Those of the callees. */
  readonly trunks: readonly string[];
}

/** Why and how the call ended; null while it is in progress. */
export function callEnd({ events }: Timeline, { endReason }: CallLife, { texts, trunks }: EndContext): CallEnd | null {
  if (endReason === undefined) return null;
  const ends = reportsOfKind(events, isEnd);
  const last = endReason === 'error' ? lastErrors(events) : lastEnds(ends, endsOfCall(events));
  const response = responseIn(last.flatMap(outcomesOf));
  const all = new Set([...last, ...ends]);
  const extensions = mergeExtensions(ends.map(({ event }) => event));
  return {
    reason: endReason,
    by: endingParty(last),
    code: response?.code ?? null,
    phrase: response?.phrase ?? null,
    diagnostics: outcomeDiagnostics([...all].flatMap(outcomesOf), texts).slice(0, DIAGNOSTICS_LIMIT),
    refusedBy: endReason === 'error' && isFault(response?.code) ? refusalIn(last.flatMap(outcomesOf), trunks) : null,
    ...(extensions === undefined ? {} : { further: extensions }),
  };
}

/** The ends of the call, with those of its streams in the same requests: an end of a stream earlier is not its reason. */
function lastEnds(ends: readonly EndReport[], ofCall: readonly EndReport[]): readonly EndReport[] {
  if (ofCall.length === 0) return ends.toReversed();
  const requests = new Set(ofCall.map(({ source }) => source.record.connection.cseq));
  const ofStreams = ends.filter((each) => !ofCall.includes(each));
  return [...ofCall, ...ofStreams.filter(({ source }) => requests.has(source.record.connection.cseq))];
}

/** What an event says of its outcome, and what the whole record says: A has it only there. */
export function outcomesOf({ event, source }: EndReport): readonly Outcome[] {
  return [event, source.record.outcome ?? {}];
}

/** The errors that ended the call: the last one, and copies of it from other front ends. */
function lastErrors(events: readonly ReportedEvent[]): readonly EndReport[] {
  const errors = reportsOfKind(events, isError);
  const last = errors.at(-1);
  const status = last && endReportStatus(last);
  return errors.filter((report) => endReportStatus(report) === status);
}

/** SIP status. */
export function endReportStatus(report: EndReport): number | undefined {
  return responseIn(outcomesOf(report))?.code;
}

/** The first SIP response that any of them has. */
export function responseIn(outcomes: readonly Outcome[]): Outcome['responseCode'] {
  return outcomes.find(({ responseCode }) => responseCode !== undefined)?.responseCode;
}

/** `EndedBy` of our sender (docs/records.md): who sent the BYE, or cancelled. */
function endingParty(reports: readonly EndReport[]): CallEnd['by'] {
  for (const { source } of reports) {
    const by = source.record.connection.further?.['EndedBy'];
    if (by === 'Caller') return 'caller';
    if (by === 'Callee') return 'callee';
  }
  return null;
}
