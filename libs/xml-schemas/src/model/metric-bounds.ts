import type { Metric } from './record.js';

/** The values that a metric can have; the bounds themselves can be. */
export interface MetricBounds {
  readonly least: number;
  readonly most: number;
}

const SHARE: MetricBounds = { least: 0, most: 1 };
const PERCENT: MetricBounds = { least: 0, most: 100 };
/** Half a minute: 65,535, all ones in a field of 16 bits, means that nothing was measured (heplify-server#120). */
const DELAY: MetricBounds = { least: 0, most: 30_000 };
const MOS: MetricBounds = { least: 1, most: 5 };
/** Points of MOS that were lost: from 5 to 1. */
const MOS_LOSS: MetricBounds = { least: 0, most: 4 };
/** A year. */
const TIME: MetricBounds = { least: 0, most: 31_536_000_000 };
/** 127 means unavailable (RFC 3611, 4.7). */
const LEVEL: MetricBounds = { least: -127, most: 126 };
const AMOUNT: MetricBounds = { least: 0, most: 1e12 };

/** By what the name of a metric contains; the first line that fits counts. The one table of what a value can be. */
const BY_NAME: readonly (readonly [part: string, bounds: MetricBounds])[] = [
  ['DegradationJitter', SHARE],
  ['DegradationPacketLoss', SHARE],
  ['Degradation', MOS_LOSS],
  ['MOS', MOS],
  // More is a clock that was set, or a field that is not jitter: the encrypted bytes of SRTCP.
  ['Jitter', { least: 0, most: 10_000 }],
  ['RoundTrip', DELAY],
  ['LossRate', SHARE],
  ['PostFECPLR', SHARE],
  ['Percent', PERCENT],
  ['HDQualityRatio', PERCENT],
  ['VGAQualityRatio', PERCENT],
  ['Ratio', SHARE],
  ['FrameRate', { least: 0, most: 1_000 }],
  ['BitRate', { least: 0, most: 1e10 }],
  ['NoiseLevel', LEVEL],
  ['SignalLevel', LEVEL],
  ['Duration', TIME],
  ['Latency', AMOUNT],
  ['RelativeOneWay', AMOUNT],
  ['BurstDensity', SHARE],
  ['Density', AMOUNT],
  ['Bandwidth', AMOUNT],
  ['PacketRate', AMOUNT],
  ['Packets', AMOUNT],
  ['Count', AMOUNT],
  // More packets than a stream of 10,000 a second has in a day.
  ['PacketUtilization', { least: 0, most: 1e9 }],
];

/** Undefined if nothing is known of the metric. */
export function boundsOf(metric: string): MetricBounds | undefined {
  return BY_NAME.find(([part]) => metric.includes(part))?.[1];
}

/** Whether a metric can have this value. An impossible one was not measured: it is shown, but never judged or counted. */
export function isPossible(metric: string, value: number): boolean {
  const { least, most } = boundsOf(metric) ?? { least: -Number.MAX_VALUE, most: Number.MAX_VALUE };
  return value >= least && value <= most;
}

/** Undefined if the metric is absent, a text or impossible. */
export function possibleNumber(name: string, metric: Metric | undefined): number | undefined {
  const value = metric?.value;
  return typeof value === 'number' && isPossible(name, value) ? value : undefined;
}
