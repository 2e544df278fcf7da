import { possibleNumber } from '@ringdown/xml-schemas';
import type { CallQuality } from './call.js';
import { mosValueOf } from './stream-mos.js';

/** Metrics of streams that statistics count. Most streams have the first three; each medium has some of the others. */
export const STREAM_METRIC_NAMES = [
  'loss',
  'jitter',
  'roundTrip',
  'mos',
  'lossMax',
  'jitterMax',
  'roundTripMax',
  'degradation',
  'concealed',
  'stretched',
  'compressed',
  'burstDensity',
  'burstDuration',
  'postFecLoss',
  'frameRate',
  'bitRate',
] as const;

export type StreamMetric = (typeof STREAM_METRIC_NAMES)[number];

/** Values of one stream; unknown ones are omitted. */
export type StreamMetrics = Partial<Readonly<Record<StreamMetric, number>>>;

/** How values of a metric are counted. */
export interface Scale {
  readonly unit: 'ratio' | 'ms' | 's' | 'mos' | '1/s' | 'bit/s';
  /**
   * Upper bounds of the classes shown to operators, including the thresholds of the default profile; a bound is part of
   * its class.
   */
  readonly bounds: readonly number[];
  /** The smallest value that is distinguished from zero. */
  readonly least: number;
  /** The end of the scale. What a value can be at all is in `metric-bounds.ts` of xml-schemas. */
  readonly most: number;
  /** The maximum ratio between the bounds of neighbouring fine classes: this is the precision of percentiles. */
  readonly fineness?: number;
}

export interface MetricScale extends Scale {
  /** Elements of a report that contain it; the first one with a possible value counts. */
  readonly elements: readonly string[];
}

const SHARE = { unit: 'ratio', least: 0.0001, most: 1 } as const;
const TIME = { unit: 'ms', least: 1, most: 600_000 } as const;
const LOSSES = [0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
const JITTERS = [1, 2, 5, 10, 15, 25, 50, 100, 200, 500];
const ROUND_TRIPS = [5, 10, 20, 50, 100, 200, 300, 500, 1_000, 2_000];

export const STREAM_METRICS: Readonly<Record<StreamMetric, MetricScale>> = {
  // Video has its own loss rate.
  loss: { ...SHARE, elements: ['VideoPacketLossRate', 'PacketLossRate'], bounds: LOSSES },
  jitter: { ...TIME, elements: ['JitterInterArrival'], bounds: JITTERS },
  roundTrip: { ...TIME, elements: ['RoundTrip'], bounds: ROUND_TRIPS },
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
  lossMax: { ...SHARE, elements: ['PacketLossRateMax'], bounds: LOSSES },
  jitterMax: { ...TIME, elements: ['JitterInterArrivalMax'], bounds: JITTERS },
  roundTripMax: { ...TIME, elements: ['RoundTripMax'], bounds: ROUND_TRIPS },
  // Points of MOS that the network took.
  degradation: {
    unit: 'mos',
    elements: ['DegradationAvg'],
    bounds: [0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1, 1.5, 2, 3],
    least: 0.01,
    most: 5,
  },
  concealed: {
    ...SHARE,
    elements: ['RatioConcealedSamplesAvg'],
    bounds: [0, 0.001, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.2, 0.5],
  },
  stretched: { ...SHARE, elements: ['RatioStretchedSamplesAvg'], bounds: [...LOSSES, 1] },
  compressed: { ...SHARE, elements: ['RatioCompressedSamplesAvg'], bounds: [...LOSSES, 1] },
  burstDensity: { ...SHARE, elements: ['BurstDensity'], bounds: LOSSES },
  burstDuration: {
    ...TIME,
    elements: ['BurstDuration'],
    bounds: [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000],
  },
  // Of video, after forward error correction.
  postFecLoss: { ...SHARE, elements: ['VideoPostFECPLR'], bounds: LOSSES },
  frameRate: {
    unit: '1/s',
    elements: ['RecvFrameRateAverage', 'VideoFrameRateAvg', 'FrameRate'],
    bounds: [1, 2, 5, 7, 10, 12, 15, 20, 25, 30, 60],
    least: 0.1,
    most: 1_000,
  },
  bitRate: {
    unit: 'bit/s',
    elements: ['BitRateAvg'],
    bounds: [50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000],
    least: 1_000,
    most: 1e10,
  },
};

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
  const reported = elements.filter((element) => Object.hasOwn(metrics, element));
  if (reported.length === 0) return elements.some((element) => assumedZero.includes(element)) ? 0 : undefined;
  const [possible] = reported.flatMap((element) => possibleNumber(element, metrics[element]) ?? []);
  return possible !== undefined && possible <= most ? possible : undefined;
}

const FINENESS = 1.05;

/**
 * Classes for computing percentiles; each bound of the scale is also a bound here, so that they add up to the classes
 * of the scale.
 */
export function fineBounds({ bounds, least, most, fineness = FINENESS }: Scale): readonly number[] {
  const marks = [least, ...bounds.filter((bound) => bound > least && bound < most), most];
  const steps = marks.slice(1).flatMap((mark, index) => {
    const before = marks[index] ?? least;
    const count = Math.ceil(Math.log(mark / before) / Math.log(fineness));
    const between = Array.from({ length: count - 1 }, (_, step) => before * (mark / before) ** ((step + 1) / count));
    return [...between.map((each) => Number(each.toPrecision(DECIMALS))), mark];
  });
  return [0, least, ...steps];
}
