import type { RecordVersion } from './call.js';

/**
 * The value beyond which a metric is no longer good (`optimal`) or no longer acceptable. The values themselves still
 * are.
 */
export interface Threshold {
  readonly optimal: number;
  readonly acceptable: number;
}

/** The thresholds for streams of one medium. */
export interface MediumThresholds {
  readonly metrics: Readonly<Record<string, Threshold>>;
  /** For reports that count their packets: fewer are not meaningful. */
  readonly minimumPackets: number;
  /** Metrics that senders omit when they are zero (diagnostics-feed.md, 2.4). */
  readonly zeroWhenAbsent: readonly string[];
  /** For the mean opinion scores of audio. They have a level, but do not change the verdict (diagnostics-feed.md, 5). */
  readonly mos?: Threshold | undefined;
}

/** By media type, and `videosharing` for shared screens that are sent as video. */
export type ThresholdProfile = Readonly<Record<string, MediumThresholds>>;

/** By the version of the record that reports a metric; `RTP` for what senders measured in captured media. */
export type ProfileName = RecordVersion | 'RTP';

const VERSIONS: readonly RecordVersion[] = ['1.0', 'A', 'C', 'D'];

export const PROFILE_NAMES: readonly ProfileName[] = [...VERSIONS, 'RTP'];

export type ThresholdProfiles = Readonly<Record<ProfileName, ThresholdProfile>>;

/** Of a record without a version: only C may leave it out (diagnostics-feed.md, 2.1). Unknown versions are as the newest. */
export function profileFor(version = 'C'): RecordVersion {
  return VERSIONS.find((name) => name === version) ?? 'D';
}

/** The profile of one metric of a report. */
export function profileOfMetric(metric: string, version: ProfileName): ProfileName {
  return metric.startsWith('Captured') || metric === 'ComputedMOS' ? 'RTP' : version;
}

const video: MediumThresholds = {
  metrics: {
    VideoPacketLossRate: { optimal: 0.05, acceptable: 0.1 },
    VideoPostFECPLR: { optimal: 0.05, acceptable: 0.1 },
    VideoLocalFrameLossPercentageAvg: { optimal: 5, acceptable: 10 },
    LowFrameRateCallPercent: { optimal: 5, acceptable: 10 },
    LowResolutionCallPercent: { optimal: 5, acceptable: 10 },
    DynamicCapabilityPercent: { optimal: 5, acceptable: 10 },
    RecvFrameRateAverage: { optimal: 12, acceptable: 7 },
    VideoFrameRateAvg: { optimal: 12, acceptable: 7 },
  },
  minimumPackets: 500,
  zeroWhenAbsent: ['VideoPacketLossRate'],
};

/** The thresholds of the feed's own manager (diagnostics-feed.md, section 5). Loss and ratios are fractions. */
export const defaultThresholds: ThresholdProfile = {
  audio: {
    metrics: {
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
    minimumPackets: 500,
    zeroWhenAbsent: ['PacketLossRate', 'JitterInterArrival'],
    // Ratings of 70 and 60 of ITU-T G.109, below which some and many users are dissatisfied.
    mos: { optimal: 3.6, acceptable: 3.1 },
  },
  video,
  applicationsharing: {
    metrics: {
      AppliedBandwidthLimit: { optimal: 1_000_000, acceptable: 500_000 },
      SpoiledTilePercentTotal: { optimal: 11, acceptable: 36 },
      JitterInterArrival: { optimal: 50, acceptable: 100 },
      RelativeOneWayBurstDensity: { optimal: 1_000, acceptable: 2_000 },
      RelativeOneWayAverage: { optimal: 1, acceptable: 1.75 },
      RDPTileProcessingLatencyBurstDensity: { optimal: 100, acceptable: 200 },
      RDPTileProcessingLatencyAverage: { optimal: 200, acceptable: 400 },
    },
    // A still picture needs only a few packets.
    minimumPackets: 0,
    zeroWhenAbsent: [],
  },
  videosharing: {
    ...video,
    metrics: { ...video.metrics, AppliedBandwidthLimit: { optimal: 15_000, acceptable: 14_000 } },
  },
};

/** The same for all versions: their metrics have the same units, and those of 1.0 and A have the sender's own limits. */
export const defaultProfiles: ThresholdProfiles = {
  '1.0': defaultThresholds,
  A: defaultThresholds,
  C: defaultThresholds,
  D: defaultThresholds,
  RTP: defaultThresholds,
};

/** Metrics for which a higher value is better. A record may have a sender's limit beside any of them. */
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
  'ComputedMOS',
]);

/** The thresholds show the direction of an unknown metric, unless they are equal. */
export function lowerIsWorse(metric: string, threshold?: Threshold): boolean {
  if (threshold === undefined || threshold.optimal === threshold.acceptable) return LOWER_IS_WORSE.has(metric);
  return threshold.optimal > threshold.acceptable;
}
