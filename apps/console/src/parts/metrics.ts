import type { Metric } from '../api/answers.js';
import { formatBandwidth, visible } from './format.js';

type Unit = 'share' | 'percent' | 'ms' | 'bandwidth' | 'perSecond' | 'dB' | 'number';

/** Readable names of the metrics that decide verdicts, and of captured media (docs/records.md); others keep the name of their element. */
const KNOWN: Readonly<Record<string, readonly [string, Unit]>> = {
  PacketLossRate: ['Packet loss', 'share'],
  PacketLossRateMax: ['Packet loss (max)', 'share'],
  JitterInterArrival: ['Jitter', 'ms'],
  JitterInterArrivalMax: ['Jitter (max)', 'ms'],
  RoundTrip: ['Round trip', 'ms'],
  RoundTripMax: ['Round trip (max)', 'ms'],
  RecvListenMOS: ['MOS, listening', 'number'],
  RecvListenMOSMin: ['MOS, listening (min)', 'number'],
  SendListenMOS: ['MOS, listening, as sent', 'number'],
  SendListenMOSMin: ['MOS, listening, as sent (min)', 'number'],
  ConversationalMOS: ['MOS, conversational', 'number'],
  OverallAvgNetworkMOS: ['MOS, network', 'number'],
  OverallMinNetworkMOS: ['MOS, network (min)', 'number'],
  DegradationAvg: ['MOS degradation', 'number'],
  DegradationMax: ['MOS degradation (max)', 'number'],
  RatioConcealedSamplesAvg: ['Concealed samples', 'share'],
  RatioStretchedSamplesAvg: ['Stretched samples', 'share'],
  RatioCompressedSamplesAvg: ['Compressed samples', 'share'],
  DeviceHalfDuplexAECEventRatio: ['Echo: half duplex', 'share'],
  DeviceRenderNotFunctioningEventRatio: ['Loudspeaker not working', 'share'],
  DeviceCaptureNotFunctioningEventRatio: ['Microphone not working', 'share'],
  VideoPacketLossRate: ['Video packet loss', 'share'],
  VideoPostFECPLR: ['Video packet loss after repair', 'share'],
  VideoLocalFrameLossPercentageAvg: ['Video frames lost', 'percent'],
  LowFrameRateCallPercent: ['Time at a low frame rate', 'percent'],
  LowResolutionCallPercent: ['Time at a low resolution', 'percent'],
  DynamicCapabilityPercent: ['Time with too little CPU', 'percent'],
  RecvFrameRateAverage: ['Frames received', 'perSecond'],
  VideoFrameRateAvg: ['Frames', 'perSecond'],
  AppliedBandwidthLimit: ['Bandwidth limit', 'bandwidth'],
  SpoiledTilePercentTotal: ['Spoiled tiles', 'percent'],
  RelativeOneWayAverage: ['One-way delay, relative', 'number'],
  RDPTileProcessingLatencyAverage: ['Tile processing', 'ms'],
  PacketUtilization: ['Packets', 'number'],
  CapturedPackets: ['Packets, captured', 'number'],
  CapturedPacketLossRate: ['Packet loss, captured', 'share'],
  CapturedPacketLossRateMax: ['Packet loss, captured (max)', 'share'],
  CapturedJitter: ['Jitter, captured', 'ms'],
  CapturedJitterMax: ['Jitter, captured (max)', 'ms'],
  CapturedPacketRate: ['Packet rate, captured', 'perSecond'],
  CapturedReordered: ['Packets out of order, captured', 'number'],
  CapturedDuplicates: ['Duplicate packets, captured', 'number'],
  CapturedLate: ['Late packets, captured', 'number'],
  CapturedCodec: ['Codec in use', 'number'],
  CapturedDscp: ['DSCP, captured', 'number'],
  CapturedSilence: ['Silence', 'number'],
  CapturedOneWay: ['One direction only', 'number'],
  ComputedMOS: ['MOS, computed', 'number'],
  BurstDuration: ['Loss burst duration', 'ms'],
  BurstDensity: ['Loss burst density', 'share'],
  RecvSignalLevel: ['Signal level', 'dB'],
  RecvNoiseLevel: ['Noise level', 'dB'],
  CaptureDevice: ['Microphone', 'number'],
  RenderDevice: ['Loudspeaker', 'number'],
};

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
  return named(metric)?.[0] ?? visible(metric);
}

/** A value of this metric with its unit: that of the API if the metric has no readable name. */
export function formatMetric(metric: string, value: number | string, unit?: Metric['unit']): string {
  if (typeof value === 'string') return visible(value);
  switch (named(metric)?.[1] ?? (unit ? BY_API[unit] : 'number')) {
    case 'share':
      return `${rounded(value * 100)} %`;
    case 'percent':
      return `${rounded(value)} %`;
    case 'ms':
      return `${rounded(value)} ms`;
    case 'dB':
      return `${rounded(value)} dB`;
    case 'perSecond':
      return `${rounded(value)}/s`;
    case 'bandwidth':
      return formatBandwidth(value);
    default:
      return rounded(value);
  }
}

/** Names come from records: they must not match inherited properties. */
function named(metric: string): readonly [string, Unit] | undefined {
  return Object.hasOwn(KNOWN, metric) ? KNOWN[metric] : undefined;
}

const LEAST = 0.001;

/** Three digits or so. What is not zero is not shown as zero. */
function rounded(value: number): string {
  const size = Math.abs(value);
  if (size > 0 && size < LEAST) return `${value < 0 ? '> \u2212' : '< '}${LEAST}`;
  if (size < 0.1) return Number(value.toPrecision(2)).toString();
  return Number(value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)).toString();
}
