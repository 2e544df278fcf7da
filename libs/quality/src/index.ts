export { ASSUMED_BUFFER_MS, computedMos } from './computed-mos.js';
export { judgedMetrics, type JudgedMetric } from './judged-metrics.js';
export { fineBounds, streamMetrics, type StreamMetrics } from './stream-metrics.js';
export { streamMos, type StreamMos } from './stream-mos.js';
export { thresholdExcess, judge, metricsLevel, senderVerdict, worst } from './verdict.js';
export { VERDICTS, type RecordVersion, type Verdict, type VerdictCause, type Withheld } from './verdicts.js';
export { worstMetrics } from './worst-metrics.js';
