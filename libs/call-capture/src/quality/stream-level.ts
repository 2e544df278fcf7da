import { defaultThresholdsOf, JUDGED_MEDIA, metricRow, possibleNumber, type Threshold } from '@ringdown/call-catalogue';
import type { Metric } from '@ringdown/xml-schemas';

/** The three states of a stream (diagnostics-feed.md, 5). */
export type StreamLevel = 'good' | 'poor' | 'bad';

const THRESHOLDS = new Map<string, readonly (readonly [metric: string, threshold: Threshold])[]>(
  JUDGED_MEDIA.map((medium) => [medium, Object.entries(defaultThresholdsOf(medium))]),
);

/** Good if no metric is worse than optimal, bad if one is worse than acceptable. */
export function levelOf(mediaType: string, metrics: Readonly<Record<string, Metric>>): StreamLevel {
  let level: StreamLevel = 'good';
  for (const [name, { optimal, acceptable }] of THRESHOLDS.get(mediaType) ?? []) {
    const value = possibleNumber(name, metrics[name]);
    if (value === undefined) continue;
    const sign = metricRow(name)?.better === 'higher' ? -1 : 1;
    if (sign * value > sign * acceptable) return 'bad';
    if (sign * value > sign * optimal) level = 'poor';
  }
  return level;
}
