import { AUDIO_ROWS } from './audio.js';
import { CAPTURED_ROWS } from './captured.js';
import type { MetricBounds, MetricRow, MetricTable, MetricUnit, MosKind } from './metric-row.js';
import { SHARING_ROWS } from './sharing.js';
import { STREAM_ROWS } from './streams.js';
import { guessMeasure } from './unknown-metrics.js';
import { VIDEO_ROWS } from './video.js';

export const METRICS = { ...STREAM_ROWS, ...AUDIO_ROWS, ...VIDEO_ROWS, ...SHARING_ROWS, ...CAPTURED_ROWS };

/** A metric with a row. */
export type MetricName = keyof typeof METRICS;

const ROWS: ReadonlyMap<string, MetricRow> = new Map(Object.entries<MetricRow>(METRICS satisfies MetricTable));

/** Undefined for metrics of future senders. */
export function metricRow(metric: string): MetricRow | undefined {
  return ROWS.get(metric);
}

export function isKnownMetric(metric: string): metric is MetricName {
  return ROWS.has(metric);
}

/** Whether its values are texts, also those that look like numbers. */
export function isTextMetric(metric: string): boolean {
  return metricRow(metric)?.isText === true;
}

/** Null if the unit is not known. */
export function metricUnit(metric: string): MetricUnit | null {
  return (metricRow(metric) ?? guessMeasure(metric)).unit;
}

/** Undefined if nothing is known of the metric. */
export function boundsOf(metric: string): MetricBounds | undefined {
  return (metricRow(metric) ?? guessMeasure(metric)).possible ?? undefined;
}

/** Whether a metric can have this value. An impossible one was not measured: it is shown, but never judged or counted. */
export function isPossible(metric: string, value: number): boolean {
  const { least, most } = boundsOf(metric) ?? { least: -Number.MAX_VALUE, most: Number.MAX_VALUE };
  return value >= least && value <= most;
}

/** Undefined if the metric is absent, a text or impossible. */
export function possibleNumber(name: string, metric: { readonly value: unknown } | undefined): number | undefined {
  const value = metric?.value;
  return typeof value === 'number' && isPossible(name, value) ? value : undefined;
}

/** Elements with a mean opinion score of this kind; the first one in a report counts. */
export const SCORE_ELEMENTS: Readonly<Record<MosKind, readonly string[]>> = {
  listening: scores('listening'),
  conversational: scores('conversational'),
  network: scores('network'),
  computed: scores('computed'),
};

function scores(kind: MosKind): readonly string[] {
  return [...ROWS].filter(([, { score }]) => score === kind).map(([name]) => name);
}

/** Whether our sender measured it in captured media; a later sender may measure more. */
export function isCaptured(metric: string): boolean {
  return Object.hasOwn(CAPTURED_ROWS, metric) || metric.startsWith('Captured');
}
