import type { ErrorEvent } from '@ringdown/xml-schemas/record';
import { outcomeDiagnostics } from '../quality/call-diagnostics.js';
import { DIAGNOSTICS_LIMIT, outcomesOf, responseIn, endReportStatus } from './call-end.js';
import type { CallError, Diagnostics } from '../call.js';
import type { DiagnosticsTexts } from '../quality/diagnostics-texts.js';
import type { ReportedEvent } from './timeline.js';
import { mergeExtensions } from '../parties/merge-endpoints.js';
import type { PartyTable } from '../parties/party-table.js';
import { isoTime, knownFrontEnds } from '../streams/report-source.js';

/** Of a call that fails repeatedly, only the first errors are kept. */
const ERROR_LIMIT = 100;

/** The errors of a call. Several front ends report the same failed request: that is one error, at the earliest time. */
export function errorsOf(
  reports: readonly ReportedEvent<ErrorEvent>[],
  parties: PartyTable,
  texts: DiagnosticsTexts,
): readonly CallError[] {
  const byCause = Map.groupBy(reports, callErrorKey);
  return [...byCause.values()].slice(0, ERROR_LIMIT).flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { event, at } = first;
    const outcomes = same.flatMap(outcomesOf);
    const response = responseIn(outcomes);
    const [exact, ...others] = outcomeDiagnostics(outcomes, texts);
    const extensions = mergeExtensions(same.map((report) => report.event));
    const endpoints = event.endpoints ?? [event.from, event.to].filter((endpoint) => endpoint !== undefined);
    return {
      at: isoTime(at),
      frontEnds: knownFrontEnds(same.map(({ source }) => source)),
      mediaType: event.mediaType ?? null,
      code: response?.code ?? null,
      phrase: response?.phrase ?? null,
      diagnostics: exact === undefined ? null : withoutKind(exact),
      ...(others.length === 0 ? {} : { otherDiagnostics: others.slice(0, DIAGNOSTICS_LIMIT) }),
      endpoints: endpoints.flatMap((endpoint) => parties.complete(endpoint) ?? []),
      ...(extensions === undefined ? {} : { further: extensions }),
    };
  });
}

/** A sequence number counts the requests of one direction, so it is not enough to distinguish errors. */
function callErrorKey(report: ReportedEvent<ErrorEvent>): string {
  const { event, source } = report;
  const { connection, outcome } = source.record;
  const request = connection.cseq === undefined ? source.digest : `cseq ${connection.cseq}`;
  const diagnostics = event.diagnostics ?? outcome?.diagnostics;
  return [request, event.mediaType, endReportStatus(report), diagnostics?.code].join(' ');
}

function withoutKind({ kind: _kind, ...diagnostics }: Diagnostics): CallError['diagnostics'] {
  return diagnostics;
}
