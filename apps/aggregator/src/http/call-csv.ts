import { DETAIL_FIELDS, PARTY_FIELDS } from '@ringdown/call-catalogue/fields';
import { WORST_METRICS } from '@ringdown/call-catalogue/statistics';
import { csvCell } from '@ringdown/contracts/csv-cell';
import { callDiagnosticsCodes } from '../calls/quality/call-diagnostics.js';
import type { Party } from '../calls/call.js';
import { callPathValues } from '../search/keys/path-keys.js';
import type { ListedCall } from './listed-call.js';

/** With the site of each party where sites are known. */
type PlacedCall = Omit<ListedCall, 'parties'> & { readonly parties: readonly (Party & { readonly site?: string })[] };

type Cell = string | number | boolean | null;

/** Computed once for all columns of a call. */
type PathValues = readonly (readonly [kind: string, value: string])[];

/**
 * The columns of a table of calls. A column with several values lists them all in one cell, separated by spaces, or by semicolons where
 * the values contain spaces.
 */
const COLUMNS: Readonly<Record<string, (call: PlacedCall, paths: PathValues) => Cell>> = {
  callId: ({ callId }) => callId,
  state: ({ state }) => state,
  endReason: ({ endReason }) => endReason,
  beganAt: ({ beganAt }) => beganAt,
  endedAt: ({ endedAt }) => endedAt,
  durationSeconds: ({ duration }) => duration?.seconds ?? null,
  verdict: ({ verdict }) => verdict,
  causeMetric: ({ cause }) => cause?.metric ?? null,
  causeValue: ({ cause }) => cause?.value ?? null,
  causeThreshold: ({ cause }) => cause?.threshold ?? null,
  causeMedium: ({ cause }) => cause?.mediaType ?? null,
  partial: ({ partial }) => partial,
  version: ({ version }) => version,
  frontEnds: ({ frontEnds }) => listed(frontEnds),
  users: ({ parties }) => listed(parties.map(({ uri }) => uri)),
  addresses: ({ parties }) => listed(parties.map(({ ip }) => ip)),
  media: ({ streams }) => listed(streams.map(({ mediaType }) => mediaType)),
  errorCodes: ({ errors }) => listed(errors.map(({ code }) => code)),
  diagnosticsCodes: (call) => listed(callDiagnosticsCodes(call)),
  conversationId: ({ conversationId }) => conversationId,
  conferenceId: ({ conferenceId }) => conferenceId,
  correlationId: ({ correlationId }) => correlationId,
  // New columns come last: scripts read the others by position.
  coverage: ({ coverage }) => coverage,
  endedBy: ({ end }) => end?.by ?? null,
  endCode: ({ end }) => end?.code ?? null,
  invitedAt: ({ invitedAt }) => invitedAt,
  setupSeconds: ({ setupSeconds }) => setupSeconds,
  ringSeconds: ({ ringSeconds }) => ringSeconds,
  postDialSeconds: ({ postDialSeconds }) => postDialSeconds,
  feeds: ({ feeds }) => listed(feeds),
  pools: ({ pools }) => listed(pools),
  ...Object.fromEntries(WORST_METRICS.map((name) => [name, ({ worst }: PlacedCall) => worst[name]])),
  // Names of devices and networks contain spaces.
  ...Object.fromEntries(
    [...PARTY_FIELDS, ...DETAIL_FIELDS].map((field) => [
      field,
      (_call: PlacedCall, paths: PathValues) =>
        paths.flatMap(([kind, value]) => (kind === field ? [value] : [])).join('; '),
    ]),
  ),
  // The records of a call name the caller first.
  caller: ({ parties: [caller] }) => caller?.uri ?? null,
  callee: ({ parties: [, callee] }) => callee?.uri ?? null,
  sites: ({ parties }) => [...new Set(parties.flatMap(({ site }) => site ?? []))].join('; '),
};

/** The header line (RFC 4180). */
export const CSV_HEAD = `${Object.keys(COLUMNS).join(',')}\r\n`;

export function csvLine(call: PlacedCall): string {
  const paths = callPathValues(call);
  return `${Object.values(COLUMNS)
    .map((valueOf) => cell(valueOf(call, paths)))
    .join(',')}\r\n`;
}

function listed(values: readonly (string | number | null | undefined)[]): string {
  return [...new Set(values)].filter((value) => value !== null && value !== undefined).join(' ');
}

function cell(value: Cell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  return csvCell(value);
}
