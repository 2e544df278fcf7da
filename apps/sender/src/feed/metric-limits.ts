import type { ConversionOptions } from '@ringdown/xml-schemas';
import { THRESHOLDS } from '../quality/stream-level.js';

/** Readers of 1.0 judge a value by the acceptable limit beside it. */
export const METRIC_LIMITS: ConversionOptions = {
  limitOf: (mediaType = '', metric) => THRESHOLDS[mediaType]?.[metric]?.acceptable,
};
