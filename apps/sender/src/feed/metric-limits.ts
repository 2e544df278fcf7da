import type { ConversionOptions } from '@ringdown/xml-schemas';

/** The acceptable limits of metrics (diagnostics-feed.md, 5): readers of 1.0 judge a value by the limit beside it. */
const LIMITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  audio: { PacketLossRate: 0.05, JitterInterArrival: 25, RoundTrip: 500 },
  video: { VideoPacketLossRate: 0.1 },
};

export const METRIC_LIMITS: ConversionOptions = {
  limitOf: (mediaType = '', metric) => LIMITS[mediaType]?.[metric],
};
