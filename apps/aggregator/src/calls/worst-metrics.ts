import type { StreamMetrics } from './stream-metrics.js';

/** By these, calls are found. */
export const WORST_METRICS = ['loss', 'jitter', 'roundTrip', 'mos'] as const;

export type WorstMetric = (typeof WORST_METRICS)[number];

/** The worst value of each metric among the streams of a call; null where none has it. */
export function worstMetrics(streams: readonly StreamMetrics[]): Readonly<Record<WorstMetric, number | null>> {
  const all = (name: WorstMetric): readonly number[] => streams.flatMap((stream) => stream[name] ?? []);
  const worst = (name: WorstMetric, pick: (...values: number[]) => number): number | null => {
    const values = all(name);
    return values.length === 0 ? null : pick(...values);
  };
  return {
    loss: worst('loss', Math.max),
    jitter: worst('jitter', Math.max),
    roundTrip: worst('roundTrip', Math.max),
    mos: worst('mos', Math.min),
  };
}
