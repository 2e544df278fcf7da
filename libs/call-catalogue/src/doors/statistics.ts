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
} from '../metrics/statistics.js';
