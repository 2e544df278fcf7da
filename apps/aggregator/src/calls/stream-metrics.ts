import type { CallQuality } from './call.js';

/** What is measured of most streams, whatever their medium. */
export type StreamMetric = 'loss' | 'jitter' | 'roundTrip';

/** Values of one stream; those that are not known are left out. */
export type StreamMetrics = Partial<Readonly<Record<StreamMetric, number>>>;

export interface MetricScale {
  readonly unit: 'ratio' | 'ms';
  /** Elements of a report that tell it; the first of them that is there does. */
  readonly elements: readonly string[];
  /** Upper bounds of classes that a person compares, thresholds of the default profile among them; a bound is in its class. */
  readonly bounds: readonly number[];
  /** The smallest value that is told from zero. */
  readonly least: number;
  /** No stream has more: what says so was not measured. */
  readonly most: number;
}

export const STREAM_METRICS: Readonly<Record<StreamMetric, MetricScale>> = {
  loss: {
    unit: 'ratio',
    // Video is judged by its own.
    elements: ['VideoPacketLossRate', 'PacketLossRate'],
    bounds: [0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5],
    least: 0.0001,
    most: 1,
  },
  jitter: {
    unit: 'ms',
    elements: ['JitterInterArrival'],
    bounds: [1, 2, 5, 10, 15, 25, 50, 100, 200, 500],
    least: 1,
    most: 600_000,
  },
  roundTrip: {
    unit: 'ms',
    elements: ['RoundTrip'],
    bounds: [5, 10, 20, 50, 100, 200, 300, 500, 1_000, 2_000],
    least: 1,
    most: 600_000,
  },
};

export const STREAM_METRIC_NAMES: readonly StreamMetric[] = ['loss', 'jitter', 'roundTrip'];

/** More digits than are measured would only be stored. */
const DECIMALS = 6;

/**
 * What the reports on one stream tell. Metrics that the verdict takes for zero are zero here, too: most senders never say
 * that nothing was lost. A report of too few packets tells nothing.
 */
export function streamMetrics(report: Pick<CallQuality, 'metrics' | 'assumedZero' | 'withheld'>): StreamMetrics {
  if (report.withheld === 'tooFewPackets') return {};
  return Object.fromEntries(
    STREAM_METRIC_NAMES.flatMap((name) => {
      const value = valueOf(report, STREAM_METRICS[name]);
      return value === undefined ? [] : [[name, Number(value.toFixed(DECIMALS))]];
    }),
  );
}

function valueOf(
  { metrics, assumedZero }: Pick<CallQuality, 'metrics' | 'assumedZero'>,
  { elements, most }: MetricScale,
): number | undefined {
  const told = elements.find((element) => Object.hasOwn(metrics, element));
  if (told === undefined) return elements.some((element) => assumedZero.includes(element)) ? 0 : undefined;
  const value = metrics[told]?.value;
  return typeof value === 'number' && value >= 0 && value <= most ? value : undefined;
}

/** How much wider than the one before a fine class is at the most: so exact are percentiles. */
const FINENESS = 1.05;

/** Classes that percentiles are found by; each bound of the scale is one of theirs, so that they add up to its classes. */
export function fineBounds({ bounds, least, most }: MetricScale): readonly number[] {
  const marks = [least, ...bounds.filter((bound) => bound > least), most];
  const steps = marks.slice(1).flatMap((mark, index) => {
    const before = marks[index] ?? least;
    const count = Math.ceil(Math.log(mark / before) / Math.log(FINENESS));
    const between = Array.from({ length: count - 1 }, (_, step) => before * (mark / before) ** ((step + 1) / count));
    return [...between.map((each) => Number(each.toPrecision(DECIMALS))), mark];
  });
  return [0, least, ...steps];
}
