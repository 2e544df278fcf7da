import { diagnosticsCodesOf } from '../calls/call-diagnostics.js';
import type { Call } from '../calls/call.js';
import { csvCell } from '@ringdown/contracts/csv-cell';

/** The columns of a table of calls. A column with several values lists them all in one cell, separated by spaces. */
const COLUMNS: Readonly<Record<string, (call: Call) => string | number | boolean | null>> = {
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
  diagnosticsCodes: (call) => listed(diagnosticsCodesOf(call)),
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
};

/** The header line (RFC 4180). */
export const CSV_HEAD = `${Object.keys(COLUMNS).join(',')}\r\n`;

export function csvLine(call: Call): string {
  return `${Object.values(COLUMNS)
    .map((valueOf) => cell(valueOf(call)))
    .join(',')}\r\n`;
}

function listed(values: readonly (string | number | null | undefined)[]): string {
  return [...new Set(values)].filter((value) => value !== null && value !== undefined).join(' ');
}

function cell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  return csvCell(value);
}
