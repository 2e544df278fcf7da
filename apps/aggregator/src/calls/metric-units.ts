/** `ratio`: 0 to 1. `mos`: 1 to 5. `count`: without a unit. */
export type MetricUnit = 'ratio' | 'percent' | 'ms' | 'bit/s' | '1/s' | 'mos' | 'dB' | 'count';

/** By what the name of a metric contains (diagnostics-feed.md, 2.4); the first line that fits counts. */
const BY_NAME: readonly (readonly [part: string, unit: MetricUnit])[] = [
  ['MOS', 'mos'],
  ['DegradationJitter', 'ratio'],
  ['DegradationPacketLoss', 'ratio'],
  ['Degradation', 'mos'],
  ['Jitter', 'ms'],
  ['RoundTrip', 'ms'],
  ['LossRate', 'ratio'],
  ['PostFECPLR', 'ratio'],
  ['Percent', 'percent'],
  ['HDQualityRatio', 'percent'],
  ['VGAQualityRatio', 'percent'],
  ['Ratio', 'ratio'],
  // These two count something else than lost packets.
  ['RelativeOneWayBurstDensity', 'count'],
  ['LatencyBurstDensity', 'count'],
  // Lost packets of those in bursts, and between them (RFC 3611, section 4.7.2).
  ['BurstDensity', 'ratio'],
  ['BurstGapDensity', 'ratio'],
  ['Duration', 'ms'],
  ['LatencyAverage', 'ms'],
  ['TimestampError', 'ms'],
  ['FrameRate', '1/s'],
  ['PacketRate', '1/s'],
  ['BitRate', 'bit/s'],
  ['Bandwidth', 'bit/s'],
  ['NoiseLevel', 'dB'],
  ['SignalLevel', 'dB'],
  ['Packets', 'count'],
  ['Count', 'count'],
  ['PacketUtilization', 'count'],
];

/** Null if the unit is not known. */
export function unitOf(metric: string): MetricUnit | null {
  return BY_NAME.find(([part]) => metric.includes(part))?.[1] ?? null;
}
