import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { QualityEvent } from '@ringdown/xml-schemas/record';
import type { ReportDetails } from '../call.js';
import { mergeExtensions } from '../parties/merge-endpoints.js';

/** What reports on one stream contain beside their metrics; of several values, the newest. */
export function reportDetailsOf(reports: readonly QualityEvent[]): ReportDetails {
  const last = <K extends 'streamQuality' | 'streamQualitySource' | 'route'>(field: K): QualityEvent[K] | undefined =>
    reports.reduce<QualityEvent[K] | undefined>((known, event) => event[field] ?? known, undefined);
  return withoutAbsent({
    streamQuality: last('streamQuality'),
    streamQualitySource: last('streamQualitySource'),
    route: last('route'),
    further: mergeExtensions(reports),
  });
}
