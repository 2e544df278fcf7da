import type { ConversionOptions } from '@ringdown/xml-schemas';
import { THRESHOLDS } from '../quality/stream-level.js';

/** The elements that have a `Limit` in 1.0 (spec, "Diagnostics record (XML)"). */
const WITH_LIMIT: ReadonlySet<string> = new Set([
  'VideoPacketLossRate',
  'RecvFrameRateAverage',
  'VideoLocalFrameLossPercentageAvg',
]);

/** Readers of 1.0 judge a value by the acceptable limit beside it. */
export const METRIC_LIMITS: ConversionOptions = {
  limitOf: (mediaType = '', metric) =>
    WITH_LIMIT.has(metric) ? THRESHOLDS[mediaType]?.[metric]?.acceptable : undefined,
};
