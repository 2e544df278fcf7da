export {
  CALL_FIELD_NAMES,
  DETAIL_FIELDS,
  filterRow,
  KEYED_FIELDS,
  PARTY_FIELDS,
  presentName,
  STREAM_FIELDS,
  SUGGESTED_FIELDS,
  type CallField,
  type DetailField,
  type FilterKind,
  type KeyedField,
  type PartyField,
  type StreamField,
  type SuggestedField,
} from './fields/call-fields.js';
export { CALL_FILTERS } from './fields/call-filters.js';
export {
  CALL_RANGES,
  RANGE_LIMITS,
  RANGE_NAMES,
  rangeParameters,
  type RangeName,
  type RangeReading,
} from './fields/call-ranges.js';
export { ALERT_DIMENSIONS, DIMENSIONS, type AlertDimension, type Dimension, type Place } from './fields/dimensions.js';
export { CONNECTION_ROWS } from './fields/connection.js';
export { ENDPOINT_ROWS } from './fields/endpoint.js';
export type { FieldHiding, FieldRow, FieldsOf } from './fields/field-row.js';
export { COVERAGES, END_REASONS, ENDED_BY, MEDIA_PATHS } from './fields/choices.js';
export type { FilterHiding, FilterRow } from './fields/filter-row.js';
export type { CapturedMetric } from './metrics/captured.js';
export {
  defaultThresholdsOf,
  JUDGED_MEDIA,
  MINIMUM_PACKETS,
  MOS_THRESHOLD,
  zeroWhenAbsent,
} from './metrics/default-thresholds.js';
export {
  MOS_KINDS,
  type JudgedMedium,
  type MetricRow,
  type MetricUnit,
  type MosKind,
  type TextHiding,
  type Threshold,
} from './metrics/metric-row.js';
export {
  isCaptured,
  isKnownMetric,
  isPossible,
  metricRow,
  METRICS,
  possibleNumber,
  SCORE_ELEMENTS,
  unitOf,
  type MetricName,
} from './metrics/metrics.js';
export { STREAM_ROWS } from './metrics/streams.js';
export {
  isSetupMetric,
  SETUP_METRIC_NAMES,
  SETUP_METRICS,
  STREAM_METRIC_NAMES,
  STREAM_METRICS,
  WORST_METRICS,
  type Scale,
  type SetupMetric,
  type StreamMetric,
  type StreamMetricRow,
  type WorstMetric,
} from './metrics/statistics.js';
