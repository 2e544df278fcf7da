import type { ConversionOptions } from '@ringdown/xml-schemas';

/** What is acceptable of a metric (diagnostics-feed.md, 5): readers of 1.0 judge by the limit beside a value. */
const LIMITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  audio: { PacketLossRate: 0.05, JitterInterArrival: 25, RoundTrip: 500 },
  video: { VideoPacketLossRate: 0.1 },
};

export const ACCEPTABLE: ConversionOptions = {
  limitOf: (mediaType = '', metric) => LIMITS[mediaType]?.[metric],
};
