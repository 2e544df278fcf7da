import {
  BANDWIDTH,
  BIT_RATE,
  COUNT,
  DELAY,
  DURATION,
  FRAME_RATE,
  JITTER,
  LEVEL,
  MILLISECONDS,
  MOS,
  MOS_LOSS,
  PACKET_RATE,
  PERCENT,
  SHARE,
  UNKNOWN_UNIT,
  type MetricRow,
} from './metric-row.js';

/** By what the name of a metric of future senders contains; the first line that fits counts. */
const BY_PART: readonly (readonly [part: string, measure: Pick<MetricRow, 'unit' | 'possible'>])[] = [
  ['DegradationJitter', SHARE],
  ['DegradationPacketLoss', SHARE],
  ['Degradation', MOS_LOSS],
  ['MOS', MOS],
  ['Jitter', JITTER],
  ['RoundTrip', DELAY],
  ['LossRate', SHARE],
  ['PostFECPLR', SHARE],
  ['Percent', PERCENT],
  ['HDQualityRatio', PERCENT],
  ['VGAQualityRatio', PERCENT],
  ['Ratio', SHARE],
  ['FrameRate', FRAME_RATE],
  ['PacketRate', PACKET_RATE],
  ['BitRate', BIT_RATE],
  ['Bandwidth', BANDWIDTH],
  ['NoiseLevel', LEVEL],
  ['SignalLevel', LEVEL],
  ['RelativeOneWay', { ...COUNT, unit: null }],
  ['Density', { ...COUNT, unit: null }],
  ['Duration', DURATION],
  ['LatencyAverage', MILLISECONDS],
  ['Latency', { ...COUNT, unit: null }],
  ['TimestampError', MILLISECONDS],
  ['Packets', COUNT],
  ['Count', COUNT],
];

/** What the name of a metric without a row says. Where users are hidden, neither its name nor its value is shown. */
export function guessMeasure(metric: string): Pick<MetricRow, 'unit' | 'possible'> {
  return BY_PART.find(([part]) => metric.includes(part))?.[1] ?? UNKNOWN_UNIT;
}
