import type { MetricItem, MetricStatistics, StreamMetric } from '../api/answers.js';
import type { ValueRange } from '../charts/value-range.js';
import { formatFixed, formatSeconds } from '../parts/format.js';
import { formatMetric } from '../parts/metrics.js';
import { averageOf, boundOfMost, type Percentile } from './metric-series.js';
import { texts } from '../texts/quality.js';

/** Values of an item that a line can show. */
export type DrawnValue = 'average' | Percentile;

/** A metric with a chart of its own. */
export interface DrawnMetric {
  readonly metric: StreamMetric;
  readonly title: string;
  /** What is measured once: streams, or calls for times of the setup. */
  readonly what: 'streams' | 'calls';
  readonly lines: readonly { readonly value: DrawnValue; readonly colour: string }[];
  /** Constant, because a new function redraws the chart. */
  readonly shown: (value: number) => string;
  readonly range: ValueRange;
}

/** The others are only in the numbers: more lines could not be distinguished. */
const HIGH_IS_BAD = [
  { value: 'p50', colour: '--muted' },
  { value: 'p95', colour: '--accent' },
  { value: 'p99', colour: '--bad' },
] as const;
/** High percentiles of a value that is better when it is high show nothing. */
const LOW_IS_BAD = [
  { value: 'p50', colour: '--muted' },
  { value: 'average', colour: '--accent' },
] as const;

export const DRAWN_METRICS: readonly DrawnMetric[] = [
  {
    metric: 'mos',
    title: texts.metrics.mos,
    what: 'streams',
    lines: LOW_IS_BAD,
    shown: (value) => formatFixed(value, 2),
    // A score below 3 is rare: from zero, nearly all of the axis would be empty.
    range: 'used',
  },
  {
    metric: 'loss',
    title: texts.metrics.loss,
    what: 'streams',
    lines: HIGH_IS_BAD,
    shown: (value) => formatMetric('PacketLossRate', value),
    range: 'fromZero',
  },
  {
    metric: 'jitter',
    title: texts.metrics.jitter,
    what: 'streams',
    lines: HIGH_IS_BAD,
    shown: (value) => formatMetric('JitterInterArrival', value),
    range: 'fromZero',
  },
  {
    metric: 'roundTrip',
    title: texts.metrics.roundTrip,
    what: 'streams',
    lines: HIGH_IS_BAD,
    shown: (value) => formatMetric('RoundTrip', value),
    range: 'fromZero',
  },
  {
    metric: 'ringSeconds',
    title: texts.metrics.ringSeconds,
    what: 'calls',
    lines: HIGH_IS_BAD,
    shown: formatSeconds,
    range: 'fromZero',
  },
];

/** The value of a line in words: `p95 5 %`. */
export function lineWords({ lines, shown }: DrawnMetric, item: MetricItem | undefined): string {
  if (item === undefined) return texts.notMeasured;
  return lines.map(({ value }) => `${texts.lines[value]} ${shown(item[value])}`).join(', ');
}

/** The whole time in words; empty if nothing was measured. */
export function metricSummary(answer: MetricStatistics, { metric, shown }: DrawnMetric): string {
  if (answer.items.length === 0) return '';
  if (metric === 'mos') return texts.averageIs(shown(averageOf(answer.items)));
  const bound = boundOfMost(answer);
  return bound === undefined ? texts.p95Above(shown(answer.bounds.at(-1) ?? 0)) : texts.p95AtMost(shown(bound));
}
