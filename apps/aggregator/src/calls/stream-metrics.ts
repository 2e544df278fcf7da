import type { CallQuality } from './call.js';
import { mosValueOf } from './stream-mos.js';

/** Metrics that most streams have, regardless of their medium; MOS only for audio. */
export type StreamMetric = 'loss' | 'jitter' | 'roundTrip' | 'mos';

/** Values of one stream; unknown ones are omitted. */
export type StreamMetrics = Partial<Readonly<Record<StreamMetric, number>>>;

/** How values of a metric are counted. */
export interface Scale {
  readonly unit: 'ratio' | 'ms' | 's' | 'mos';
  /**
   * Upper bounds of the classes shown to operators, including the thresholds of the default profile; a bound is part of
   * its class.
   */
  readonly bounds: readonly number[];
  /** The smallest value that is distinguished from zero. */
  readonly least: number;
  /** No stream has more: a higher value was not measured. */
  readonly most: number;
  /** The maximum ratio between the bounds of neighbouring fine classes: this is the precision of percentiles. */
  readonly fineness?: number;
}

export interface MetricScale extends Scale {
  /** Elements of a report that contain it; the first one present counts. */
  readonly elements: readonly string[];
}

export const STREAM_METRICS: Readonly<Record<StreamMetric, MetricScale>> = {
  loss: {
    unit: 'ratio',
    // Video has its own loss rate.
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
  mos: {
    unit: 'mos',
    elements: [],
    // The ratings of ITU-T G.107, Annex B, at which the satisfaction of users changes, with the default thresholds.
    bounds: [1.5, 2, 2.58, 3.1, 3.6, 4.03, 4.34],
    least: 1,
    most: 5,
    // The whole scale is short.
    fineness: 1.01,
  },
};

export const STREAM_METRIC_NAMES: readonly StreamMetric[] = ['loss', 'jitter', 'roundTrip', 'mos'];

/** More digits than are measured would only use storage. */
const DECIMALS = 6;

type Report = Pick<CallQuality, 'mediaType' | 'codecs' | 'metrics' | 'assumedZero' | 'withheld'>;

/**
 * The metrics from the reports on one stream. Metrics that the verdict assumes to be zero are zero here, too: most
 * senders never report that nothing was lost. A report of too few packets has no metrics.
 */
export function streamMetrics(report: Report): StreamMetrics {
  if (report.withheld === 'tooFewPackets') return {};
  return Object.fromEntries(
    STREAM_METRIC_NAMES.flatMap((name) => {
      const value = name === 'mos' ? mosValueOf(report) : valueOf(report, STREAM_METRICS[name]);
      return value === undefined ? [] : [[name, Number(value.toFixed(DECIMALS))]];
    }),
  );
}

function valueOf({ metrics, assumedZero }: Report, { elements, most }: MetricScale): number | undefined {
  const reported = elements.find((element) => Object.hasOwn(metrics, element));
  if (reported === undefined) return elements.some((element) => assumedZero.includes(element)) ? 0 : undefined;
  const value = metrics[reported]?.value;
  return typeof value === 'number' && value >= 0 && value <= most ? value : undefined;
}

const FINENESS = 1.05;

/**
 * Classes for computing percentiles; each bound of the scale is also a bound here, so that they add up to the classes
 * of the scale.
 */
export function fineBounds({ bounds, least, most, fineness = FINENESS }: Scale): readonly number[] {
  const marks = [least, ...bounds.filter((bound) => bound > least), most];
  const steps = marks.slice(1).flatMap((mark, index) => {
    const before = marks[index] ?? least;
    const count = Math.ceil(Math.log(mark / before) / Math.log(fineness));
    const between = Array.from({ length: count - 1 }, (_, step) => before * (mark / before) ** ((step + 1) / count));
    return [...between.map((each) => Number(each.toPrecision(DECIMALS))), mark];
  });
  return [0, least, ...steps];
}
