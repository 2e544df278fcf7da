import type { QualityEvent, RecordEvent } from '@ringdown/xml-schemas';
import type { ReportedEvent } from './feed-record.js';

export function isFinalQuality(event: RecordEvent): event is QualityEvent {
  return event.kind === 'qualityUpdate';
}

export function reportsOf<E extends RecordEvent>(
  reports: readonly ReportedEvent[],
  is: (event: RecordEvent) => event is E,
): readonly ReportedEvent<E>[] {
  return reports.filter((report): report is ReportedEvent<E> => is(report.event));
}
