/** From which value on a metric is no longer good (`optimal`) and no longer acceptable. Both values still are. */
export interface Threshold {
  readonly optimal: number;
  readonly acceptable: number;
}

/** Thresholds by media type and metric. */
export type ThresholdProfile = Readonly<Record<string, Readonly<Record<string, Threshold>>>>;

/** What the feed's own manager judges by (diagnostics-feed.md, section 5). Loss and ratios are fractions. */
export const defaultThresholds: ThresholdProfile = {
  audio: {
    DegradationAvg: { optimal: 0.6, acceptable: 1 },
    RoundTrip: { optimal: 200, acceptable: 500 },
    PacketLossRate: { optimal: 0.02, acceptable: 0.05 },
    JitterInterArrival: { optimal: 15, acceptable: 25 },
    RatioConcealedSamplesAvg: { optimal: 0.03, acceptable: 0.07 },
    RatioStretchedSamplesAvg: { optimal: 1, acceptable: 1 },
    RatioCompressedSamplesAvg: { optimal: 1, acceptable: 1 },
    DeviceHalfDuplexAECEventRatio: { optimal: 0.1, acceptable: 0.3 },
    DeviceRenderNotFunctioningEventRatio: { optimal: 0.1, acceptable: 0.3 },
    DeviceCaptureNotFunctioningEventRatio: { optimal: 0.1, acceptable: 0.3 },
  },
  video: {
    VideoPacketLossRate: { optimal: 0.05, acceptable: 0.1 },
    VideoPostFECPLR: { optimal: 0.05, acceptable: 0.1 },
    VideoLocalFrameLossPercentageAvg: { optimal: 5, acceptable: 10 },
    LowFrameRateCallPercent: { optimal: 5, acceptable: 10 },
    LowResolutionCallPercent: { optimal: 5, acceptable: 10 },
    DynamicCapabilityPercent: { optimal: 5, acceptable: 10 },
    RecvFrameRateAverage: { optimal: 12, acceptable: 7 },
    VideoFrameRateAvg: { optimal: 12, acceptable: 7 },
  },
  applicationsharing: {
    AppliedBandwidthLimit: { optimal: 1_000_000, acceptable: 500_000 },
    SpoiledTilePercentTotal: { optimal: 11, acceptable: 36 },
    JitterInterArrival: { optimal: 50, acceptable: 100 },
    RelativeOneWayBurstDensity: { optimal: 1_000, acceptable: 2_000 },
    RelativeOneWayAverage: { optimal: 1, acceptable: 1.75 },
    RDPTileProcessingLatencyBurstDensity: { optimal: 100, acceptable: 200 },
    RDPTileProcessingLatencyAverage: { optimal: 200, acceptable: 400 },
  },
};

/** Metrics of which more is better. A sender's limit may stand beside any of them. */
const LOWER_IS_WORSE: ReadonlySet<string> = new Set([
  'RecvFrameRateAverage',
  'VideoFrameRateAvg',
  'FrameRate',
  'AppliedBandwidthLimit',
  'VGAQualityRatio',
  'HDQualityRatio',
  'OverallAvgNetworkMOS',
  'OverallMinNetworkMOS',
  'RecvListenMOS',
  'RecvListenMOSMin',
  'SendListenMOS',
  'SendListenMOSMin',
  'ConversationalMOS',
]);

export function lowerIsWorse(metric: string): boolean {
  return LOWER_IS_WORSE.has(metric);
}
