import type { QualityEvent } from '@ringdown/xml-schemas/record';
import type { PartyTable } from '../parties/party-table.js';
import { streamKey } from './stream-key.js';
import type { ReportedEvent } from '../life/timeline.js';

/** A call has only a handful of streams; what a broken sender adds beyond this is ignored. */
const STREAMS_LIMIT = 64;

/** One report on the quality of a stream. */
export type QualityReport = ReportedEvent<QualityEvent>;

/** The reports on each stream, by its key, in the order of `reports`. */
export function reportsByStream(
  reports: readonly QualityReport[],
  parties: PartyTable,
): readonly (readonly [key: string, ofStream: readonly QualityReport[]])[] {
  return [...Map.groupBy(reports, ({ event }) => streamKey(event, parties))].slice(0, STREAMS_LIMIT);
}
