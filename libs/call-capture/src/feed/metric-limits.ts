import { JUDGED_MEDIA, metricRow } from '@ringdown/call-catalogue/metrics';
import type { ConversionOptions } from '@ringdown/xml-schemas';

/** Readers of 1.0 judge a value by the acceptable limit beside it, which a few elements have. Called for each metric of each record. */
export const METRIC_LIMITS: ConversionOptions = {
  limitOf: (mediaType, metric) => {
    const medium = JUDGED_MEDIA.find((each) => each === mediaType);
    if (medium === undefined) return undefined;
    const { hasLimit, thresholds } = metricRow(metric) ?? {};
    return hasLimit === true ? thresholds?.[medium]?.acceptable : undefined;
  },
};
