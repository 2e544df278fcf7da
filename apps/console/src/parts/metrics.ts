import { formatBandwidth } from './format.js';

type Unit = 'share' | 'percent' | 'ms' | 'bandwidth' | 'perSecond' | 'number';

/** Readable names of the metrics that decide verdicts, and of captured media (docs/records.md); others keep the name of their element. */
const KNOWN: Readonly<Record<string, readonly [string, Unit]>> = {
  PacketLossRate: ['Packet loss', 'share'],
  PacketLossRateMax: ['Packet loss, highest', 'share'],
  JitterInterArrival: ['Jitter', 'ms'],
  JitterInterArrivalMax: ['Jitter, highest', 'ms'],
  RoundTrip: ['Round trip', 'ms'],
  RoundTripMax: ['Round trip, highest', 'ms'],
  DegradationAvg: ['Loss of MOS by the network', 'number'],
  RatioConcealedSamplesAvg: ['Concealed samples', 'share'],
  RatioStretchedSamplesAvg: ['Stretched samples', 'share'],
  RatioCompressedSamplesAvg: ['Compressed samples', 'share'],
  DeviceHalfDuplexAECEventRatio: ['Echo: half duplex', 'share'],
  DeviceRenderNotFunctioningEventRatio: ['Loudspeaker out of order', 'share'],
  DeviceCaptureNotFunctioningEventRatio: ['Microphone out of order', 'share'],
  VideoPacketLossRate: ['Video packet loss', 'share'],
  VideoPostFECPLR: ['Video packet loss after repair', 'share'],
  VideoLocalFrameLossPercentageAvg: ['Video frames lost', 'percent'],
  LowFrameRateCallPercent: ['Time at a low frame rate', 'percent'],
  LowResolutionCallPercent: ['Time at a low resolution', 'percent'],
  DynamicCapabilityPercent: ['Time short of CPU', 'percent'],
  RecvFrameRateAverage: ['Frames received', 'perSecond'],
  VideoFrameRateAvg: ['Frames', 'perSecond'],
  AppliedBandwidthLimit: ['Bandwidth limit', 'bandwidth'],
  SpoiledTilePercentTotal: ['Spoiled tiles', 'percent'],
  RelativeOneWayAverage: ['One-way delay, relative', 'number'],
  RDPTileProcessingLatencyAverage: ['Tile processing', 'ms'],
  PacketUtilization: ['Packets', 'number'],
  CapturedPackets: ['Packets, captured', 'number'],
  CapturedPacketLossRate: ['Packet loss, captured', 'share'],
  CapturedPacketLossRateMax: ['Packet loss, captured, highest', 'share'],
  CapturedJitter: ['Jitter, captured', 'ms'],
  CapturedJitterMax: ['Jitter, captured, highest', 'ms'],
  CapturedPacketRate: ['Packet rate, captured', 'perSecond'],
  CapturedReordered: ['Packets out of order, captured', 'number'],
  CapturedDuplicates: ['Duplicate packets, captured', 'number'],
  CapturedLate: ['Late packets, captured', 'number'],
  CapturedCodec: ['Codec in use', 'number'],
  CapturedDscp: ['DSCP, captured', 'number'],
  CapturedSilence: ['Silence', 'number'],
  CapturedOneWay: ['One direction only', 'number'],
  ComputedMOS: ['MOS, computed', 'number'],
};

export function metricName(metric: string): string {
  return KNOWN[metric]?.[0] ?? metric;
}

/** A value of this metric with its unit. */
export function formatMetric(metric: string, value: number | string): string {
  if (typeof value === 'string') return value;
  switch (KNOWN[metric]?.[1]) {
    case 'share':
      return `${rounded(value * 100)} %`;
    case 'percent':
      return `${rounded(value)} %`;
    case 'ms':
      return `${rounded(value)} ms`;
    case 'perSecond':
      return `${rounded(value)}/s`;
    case 'bandwidth':
      return formatBandwidth(value);
    default:
      return rounded(value);
  }
}

function rounded(value: number): string {
  return Number(value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2)).toString();
}
