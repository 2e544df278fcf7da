import { STREAM_METRICS, WORST_METRICS, type WorstMetric } from '@ringdown/call-catalogue/statistics';
import type { StreamMetrics } from './stream-metrics.js';

type WorstMetrics = Readonly<Record<WorstMetric, number | null>>;

/** The worst value of each metric among the streams of a call; null where none has it. */
export function worstMetrics(streams: readonly StreamMetrics[]): WorstMetrics {
  const worst = WORST_METRICS.map((name) => {
    const values = streams.flatMap((stream) => stream[name] ?? []);
    const pick = STREAM_METRICS[name].worst === 'highest' ? Math.max : Math.min;
    return [name, values.length === 0 ? null : pick(...values)] as const;
  });
  return Object.fromEntries(worst) as WorstMetrics; // oxlint-disable-line typescript/no-unsafe-type-assertion -- has an entry for each name
}
