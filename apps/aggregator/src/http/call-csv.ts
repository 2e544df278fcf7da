import { DETAIL_FIELDS, PARTY_FIELDS } from '@ringdown/call-catalogue/fields';
import { CALL_FILTERS } from '@ringdown/call-catalogue/filters';
import { STREAM_METRICS, WORST_METRICS } from '@ringdown/call-catalogue/statistics';
import { csvCell } from '@ringdown/contracts/csv-cell';
import { callDiagnosticsCodes } from '../calls/quality/call-diagnostics.js';
import type { Party } from '../calls/call.js';
import { callRoles } from '../calls/parties/call-roles.js';
import { callPathValues } from '../search/keys/path-keys.js';
import type { ListedCall } from './listed-call.js';

/** With the site of each party where sites are known. */
type PlacedCall = Omit<ListedCall, 'parties'> & { readonly parties: readonly (Party & { readonly site?: string })[] };

type Cell = string | number | boolean | null;

/** Computed once for all columns of a call. */
type PathValues = readonly (readonly [kind: string, value: string])[];

type CellOf = (call: PlacedCall, paths: PathValues) => Cell;

/**
 * The first columns, which are no rows of the catalogue; a new one stands in LATER. A column with several values lists them all in one cell, separated by spaces, or by
 * semicolons where the values contain spaces.
 */
const FIRST: Readonly<Record<string, CellOf>> = {
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
  coverage: ({ coverage }) => coverage,
  endedBy: ({ end }) => end?.by ?? null,
  endCode: ({ end }) => end?.code ?? null,
  invitedAt: ({ invitedAt }) => invitedAt,
  setupSeconds: ({ setupSeconds }) => setupSeconds,
  ringSeconds: ({ ringSeconds }) => ringSeconds,
  postDialSeconds: ({ postDialSeconds }) => postDialSeconds,
  feeds: ({ feeds }) => listed(feeds),
  pools: ({ pools }) => listed(pools),
};

/** Columns that came after the first rows of the catalogue, whose places are in the rows. */
const LATER = {
  caller: { column: 50, cellOf: (call: PlacedCall) => callRoles(call).caller?.uri ?? null },
  callee: { column: 51, cellOf: (call: PlacedCall) => callRoles(call).callees[0]?.uri ?? null },
  sites: {
    column: 52,
    cellOf: ({ parties }: PlacedCall) => [...new Set(parties.flatMap(({ site }) => site ?? []))].join('; '),
  },
  // Calls of an earlier release have neither until they are rebuilt.
  audio: { column: 53, cellOf: ({ audio }: PlacedCall) => audio?.heard ?? null },
  refusedBy: { column: 54, cellOf: ({ end }: PlacedCall) => end?.refusedBy?.hop ?? null },
} satisfies Readonly<Record<string, { readonly column: number; readonly cellOf: CellOf }>>;

interface Column {
  readonly name: string;
  /** Counted from 1: scripts read columns by position, so a new one has the number after the highest. */
  readonly column: number;
  readonly cellOf: CellOf;
}

export const CSV_COLUMNS: readonly Column[] = [
  ...Object.entries(FIRST).map(([name, cellOf], at) => ({ name, column: at + 1, cellOf })),
  ...WORST_METRICS.map((name) => ({
    name,
    column: STREAM_METRICS[name].column,
    cellOf: ({ worst }: PlacedCall) => worst[name],
  })),
  // Names of devices and networks contain spaces.
  ...[...PARTY_FIELDS, ...DETAIL_FIELDS].map((name) => ({
    name,
    column: CALL_FILTERS[name].column,
    cellOf: (_call: PlacedCall, paths: PathValues) =>
      paths.flatMap(([kind, value]) => (kind === name ? [value] : [])).join('; '),
  })),
  ...Object.entries(LATER).map(([name, { column, cellOf }]) => ({ name, column, cellOf })),
].toSorted((one, other) => one.column - other.column);

/** The header line (RFC 4180). */
export const CSV_HEAD = `${CSV_COLUMNS.map(({ name }) => name).join(',')}\r\n`;

export function csvLine(call: PlacedCall): string {
  const paths = callPathValues(call);
  return `${CSV_COLUMNS.map(({ cellOf }) => cell(cellOf(call, paths))).join(',')}\r\n`;
}

function listed(values: readonly (string | number | null | undefined)[]): string {
  return [...new Set(values)].filter((value) => value !== null && value !== undefined).join(' ');
}

function cell(value: Cell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  return csvCell(value);
}
