import { diagnosticsValue, type ErrorEvent, type VendorDiagnostics } from '@ringdown/xml-schemas';
import type { CallError } from './call.js';
import type { ReportedEvent } from './timeline.js';
import type { PartyTable } from './party-table.js';
import { isoTime, knownFrontEnds } from './report-source.js';

/** Of a call that fails repeatedly, only the first errors are kept. */
const ERROR_LIMIT = 100;

/** The errors of a call. Several front ends report the same failed request: that is one error, at the earliest time. */
export function errorsOf(reports: readonly ReportedEvent<ErrorEvent>[], parties: PartyTable): readonly CallError[] {
  const byCause = Map.groupBy(reports, causeOf);
  return [...byCause.values()].slice(0, ERROR_LIMIT).flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { event, at } = first;
    const endpoints = event.endpoints ?? [event.from, event.to].filter((endpoint) => endpoint !== undefined);
    return {
      at: isoTime(at),
      frontEnds: knownFrontEnds(same.map(({ source }) => source)),
      mediaType: event.mediaType ?? null,
      code: event.responseCode?.code ?? null,
      phrase: event.responseCode?.phrase ?? null,
      diagnostics: diagnosticsOf(event.diagnostics),
      endpoints: endpoints.flatMap((endpoint) => parties.complete(endpoint) ?? []),
    };
  });
}

/** A sequence number counts the requests of one direction, so it is not enough to distinguish errors. */
function causeOf({ event, source }: ReportedEvent<ErrorEvent>): string {
  const { cseq } = source.record.connection;
  const request = cseq === undefined ? source.digest : `cseq ${cseq}`;
  return [request, event.mediaType, event.responseCode?.code, event.diagnostics?.code].join(' ');
}

function diagnosticsOf(diagnostics: VendorDiagnostics | undefined): CallError['diagnostics'] {
  if (diagnostics === undefined) return null;
  return {
    code: diagnostics.code ?? null,
    reason: diagnosticsValue(diagnostics, 'reason') ?? null,
    source: diagnosticsValue(diagnostics, 'source') ?? null,
    text: diagnostics.text,
  };
}
