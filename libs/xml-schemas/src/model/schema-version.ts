import { isStream } from './event-kinds.js';
import type { DiagnosticsRecord } from './record.js';

/**
 * The version whose schema a record follows: of the later ones only C may leave it out (diagnostics-feed.md, section 1), and
 * only 1.0 has `StartOrUpdate`.
 */
export function schemaVersion({ version, events }: Pick<DiagnosticsRecord, 'version' | 'events'>): string {
  if (version !== undefined) return version;
  return events.some((event) => isStream(event) && event.kind === 'startOrUpdate') ? '1.0' : 'C';
}
