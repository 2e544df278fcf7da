import type { Codec, DiagnosticsRecord, Endpoint, RecordEvent } from '@ringdown/xml-schemas/record';

/** One record and the time at which its front end reports it. */
export interface ScriptedRecord {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly frontEnd: string;
  readonly record: DiagnosticsRecord;
}

export interface Failure {
  readonly code: number;
  readonly phrase: string;
  /** `code; key=value; ...` */
  readonly diagnostics: string;
}

export const VIDEO_CODEC: Codec = { name: 'X-H264UC/90000', low: 500_000, high: 4_010_000 };

/** `2026-01-02T03:04:05.6780000Z`: senders write seven digits. */
export function recordTime(at: number): string {
  return new Date(at).toISOString().replace('Z', '0000Z');
}

export function errorEvent(endpoints: readonly Endpoint[], { code, phrase, diagnostics }: Failure): RecordEvent {
  return {
    kind: 'error',
    endpoints,
    responseCode: { code, phrase },
    diagnostics: { code: Number.parseInt(diagnostics, 10), items: [], text: diagnostics },
  };
}

/** As a device writes it. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
