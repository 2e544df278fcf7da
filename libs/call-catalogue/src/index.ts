export {
  defaultThresholdsOf,
  JUDGED_MEDIA,
  MINIMUM_PACKETS,
  MOS_THRESHOLD,
  zeroWhenAbsent,
} from './metrics/default-thresholds.js';
export type { JudgedMedium, MetricRow, MetricUnit, MosKind, TextHiding, Threshold } from './metrics/metric-row.js';
export {
  isKnownMetric,
  isPossible,
  metricRow,
  METRICS,
  possibleNumber,
  SCORE_ELEMENTS,
  unitOf,
  type MetricName,
} from './metrics/metrics.js';
export {
  STREAM_METRIC_NAMES,
  STREAM_METRICS,
  WORST_METRICS,
  type Scale,
  type StreamMetric,
  type StreamMetricRow,
  type WorstMetric,
} from './metrics/statistics.js';
