import type { Metric } from '../api/answers.js';
import { texts } from '../texts/parts.js';
import { formatBandwidth, formatRounded, formatShare, visible, withUnit } from './format.js';

type Unit = 'share' | 'percent' | 'ms' | 'bandwidth' | 'perSecond' | 'dB' | 'number';

/** With a readable name: the metrics that decide verdicts, and those of captured media (docs/records.md); others keep the name of their element. */
type NamedMetric = keyof typeof texts.metrics;

const UNITS: Readonly<Record<NamedMetric, Unit>> = {
  PacketLossRate: 'share',
  PacketLossRateMax: 'share',
  JitterInterArrival: 'ms',
  JitterInterArrivalMax: 'ms',
  RoundTrip: 'ms',
  RoundTripMax: 'ms',
  RecvListenMOS: 'number',
  RecvListenMOSMin: 'number',
  SendListenMOS: 'number',
  SendListenMOSMin: 'number',
  ConversationalMOS: 'number',
  OverallAvgNetworkMOS: 'number',
  OverallMinNetworkMOS: 'number',
  DegradationAvg: 'number',
  DegradationMax: 'number',
  RatioConcealedSamplesAvg: 'share',
  RatioStretchedSamplesAvg: 'share',
  RatioCompressedSamplesAvg: 'share',
  DeviceHalfDuplexAECEventRatio: 'share',
  DeviceRenderNotFunctioningEventRatio: 'share',
  DeviceCaptureNotFunctioningEventRatio: 'share',
  VideoPacketLossRate: 'share',
  VideoPostFECPLR: 'share',
  VideoLocalFrameLossPercentageAvg: 'percent',
  LowFrameRateCallPercent: 'percent',
  LowResolutionCallPercent: 'percent',
  DynamicCapabilityPercent: 'percent',
  RecvFrameRateAverage: 'perSecond',
  VideoFrameRateAvg: 'perSecond',
  AppliedBandwidthLimit: 'bandwidth',
  SpoiledTilePercentTotal: 'percent',
  RelativeOneWayAverage: 'number',
  RDPTileProcessingLatencyAverage: 'ms',
  PacketUtilization: 'number',
  CapturedPackets: 'number',
  CapturedPacketLossRate: 'share',
  CapturedPacketLossRateMax: 'share',
  CapturedJitter: 'ms',
  CapturedJitterMax: 'ms',
  CapturedPacketRate: 'perSecond',
  CapturedReordered: 'number',
  CapturedDuplicates: 'number',
  CapturedLate: 'number',
  CapturedCodec: 'number',
  CapturedDscp: 'number',
  CapturedSilence: 'number',
  CapturedOneWay: 'number',
  ComputedMOS: 'number',
  BurstDuration: 'ms',
  BurstDensity: 'share',
  RecvSignalLevel: 'dB',
  RecvNoiseLevel: 'dB',
  CaptureDevice: 'number',
  RenderDevice: 'number',
};

/** Names of the loss in a report; the first one present counts, as in statistics and searches. Video has its own loss rate. */
export const LOSS_METRICS = ['VideoPacketLossRate', 'PacketLossRate', 'CapturedPacketLossRate'] as const;

/** How the API names the units of all metrics, also of those without a readable name. */
const BY_API: Readonly<Record<NonNullable<Metric['unit']>, Unit>> = {
  ratio: 'share',
  percent: 'percent',
  ms: 'ms',
  'bit/s': 'bandwidth',
  '1/s': 'perSecond',
  mos: 'number',
  dB: 'dB',
  count: 'number',
};

export function metricName(metric: string): string {
  return isNamed(metric) ? texts.metrics[metric] : visible(metric);
}

/** A value of this metric with its unit: that of the API if the metric has no readable name. */
export function formatMetric(metric: string, value: number | string, unit?: Metric['unit']): string {
  if (typeof value === 'string') return visible(value);
  switch (isNamed(metric) ? UNITS[metric] : unit ? BY_API[unit] : 'number') {
    case 'share':
      return formatShare(value);
    case 'percent':
      return withUnit(formatRounded(value), '%');
    case 'ms':
      return withUnit(formatRounded(value), 'ms');
    case 'dB':
      return withUnit(formatRounded(value), 'dB');
    case 'perSecond':
      return `${formatRounded(value)}/s`;
    case 'bandwidth':
      return formatBandwidth(value);
    default:
      return formatRounded(value);
  }
}

/** Names come from records: they must not match inherited properties. */
function isNamed(metric: string): metric is NamedMetric {
  return Object.hasOwn(UNITS, metric);
}
