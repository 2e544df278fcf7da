import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';

/** One record and the time at which its front end reports it. */
export interface ScriptedRecord {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly frontEnd: string;
  readonly record: DiagnosticsRecord;
}

export interface Script {
  readonly calls: number;
  /** In the order of their times. */
  readonly records: readonly ScriptedRecord[];
  readonly startsAt: number;
}
