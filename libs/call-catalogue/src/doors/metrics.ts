export type { CapturedMetric } from '../metrics/captured.js';
export {
  mediumDefaultThresholds,
  JUDGED_MEDIA,
  MINIMUM_PACKETS,
  MOS_THRESHOLD,
  zeroWhenAbsent,
} from '../metrics/default-thresholds.js';
export {
  MOS_KINDS,
  type JudgedMedium,
  type MetricRow,
  type MetricUnit,
  type MosKind,
  type TextHiding,
  type Threshold,
} from '../metrics/metric-row.js';
export {
  isCaptured,
  isKnownMetric,
  isPossible,
  isTextMetric,
  metricRow,
  METRICS,
  possibleNumber,
  SCORE_ELEMENTS,
  metricUnit,
  type MetricName,
} from '../metrics/metrics.js';
export { STREAM_ROWS } from '../metrics/streams.js';
