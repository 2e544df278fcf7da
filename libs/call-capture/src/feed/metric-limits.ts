import { defaultThresholdsOf, JUDGED_MEDIA, metricRow } from '@ringdown/call-catalogue';
import type { ConversionOptions } from '@ringdown/xml-schemas';

/** Readers of 1.0 judge a value by the acceptable limit beside it, which a few elements have. */
export const METRIC_LIMITS: ConversionOptions = {
  limitOf: (mediaType, metric) => {
    const medium = JUDGED_MEDIA.find((each) => each === mediaType);
    if (medium === undefined || metricRow(metric)?.hasLimit !== true) return undefined;
    return defaultThresholdsOf(medium)[metric]?.acceptable;
  },
};
