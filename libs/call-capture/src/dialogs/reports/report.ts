import type { Extensions, RecordEvent } from '@ringdown/xml-schemas/record';

/** What a message reports: the events of one record. */
export interface Report {
  readonly events: readonly RecordEvent[];
  /** When they happened, if it was before the message; milliseconds since 1970. */
  readonly at?: number;
  /** Of the record as a whole. */
  readonly extensions?: Extensions;
}
