import type { RecordEvent } from '@ringdown/xml-schemas/record';
import type { ReportedEvent } from './timeline.js';

export function reportsOfKind<E extends RecordEvent>(
  reports: readonly ReportedEvent[],
  is: (event: RecordEvent) => event is E,
): readonly ReportedEvent<E>[] {
  return reports.filter((report): report is ReportedEvent<E> => is(report.event));
}
