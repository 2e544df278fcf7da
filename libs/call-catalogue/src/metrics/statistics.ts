import type { CapturedMetric } from './captured.js';
import type { MetricUnit } from './metric-row.js';
import type { MetricName } from './metrics.js';

/** How values of a metric are counted. */
export interface Scale {
  readonly unit: Extract<MetricUnit, 'ratio' | 'ms' | 'mos' | '1/s' | 'bit/s'> | 's';
  /**
   * Upper bounds of the classes shown to operators, including the thresholds of the default profile; a bound is part of
   * its class.
   */
  readonly bounds: readonly number[];
  /** The smallest value that is distinguished from zero. */
  readonly least: number;
  /** The end of the scale. */
  readonly most: number;
  /** The maximum ratio between the bounds of neighbouring fine classes: this is the precision of percentiles. */
  readonly fineness?: number;
}

interface StreamMetricElements extends Scale {
  /** Elements of a report that contain it; the first one with a possible value counts. Of `mos`, see SCORE_ELEMENTS. */
  readonly elements: readonly MetricName[];
  /** Elements that are shown in its place where a report has none of the others; they are not counted. */
  readonly captured?: readonly CapturedMetric[];
}

/**
 * `worst`: which of the values of the streams of a call finds it; calls are not found by the others. `column`: its place in the CSV,
 * counted from 1; scripts read columns by position, so a new row has the number after the highest of all.
 */
export type StreamMetricRow = StreamMetricElements &
  (
    | { readonly worst: 'highest' | 'lowest'; readonly column: number }
    | { readonly worst?: undefined; readonly column?: undefined }
  );

const SHARE = { unit: 'ratio', least: 0.0001, most: 1 } as const;
const TIME = { unit: 'ms', least: 1, most: 600_000 } as const;
const LOSSES = [0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
const JITTERS = [1, 2, 5, 10, 15, 25, 50, 100, 200, 500];
const ROUND_TRIPS = [5, 10, 20, 50, 100, 200, 300, 500, 1_000, 2_000];

/** Metrics of streams that statistics count. Most streams have the first three; each medium has some of the others. */
export const STREAM_METRICS = {
  // Video has its own loss rate.
  loss: {
    ...SHARE,
    elements: ['VideoPacketLossRate', 'PacketLossRate'],
    captured: ['CapturedPacketLossRate'],
    bounds: LOSSES,
    worst: 'highest',
    column: 32,
  },
  jitter: {
    ...TIME,
    elements: ['JitterInterArrival'],
    captured: ['CapturedJitter'],
    bounds: JITTERS,
    worst: 'highest',
    column: 33,
  },
  roundTrip: { ...TIME, elements: ['RoundTrip'], bounds: ROUND_TRIPS, worst: 'highest', column: 34 },
  mos: {
    unit: 'mos',
    elements: [],
    // The ratings of ITU-T G.107, Annex B, at which the satisfaction of users changes, with the default thresholds.
    bounds: [1.5, 2, 2.58, 3.1, 3.6, 4.03, 4.34],
    least: 1,
    most: 5,
    // The whole scale is short.
    fineness: 1.01,
    worst: 'lowest',
    column: 35,
  },
  lossMax: { ...SHARE, elements: ['PacketLossRateMax'], bounds: LOSSES },
  jitterMax: { ...TIME, elements: ['JitterInterArrivalMax'], bounds: JITTERS },
  roundTripMax: { ...TIME, elements: ['RoundTripMax'], bounds: ROUND_TRIPS },
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
} as const satisfies Readonly<Record<string, StreamMetricRow>>;

export type StreamMetric = keyof typeof STREAM_METRICS;

/** In the order of the rows. */
export const STREAM_METRIC_NAMES: readonly StreamMetric[] = tableKeys(STREAM_METRICS);

function tableKeys<N extends string>(table: Readonly<Record<N, unknown>>): readonly N[] {
  return Object.keys(table) as N[]; // oxlint-disable-line typescript/no-unsafe-type-assertion -- its own keys
}

/** Metrics by whose worst value calls are found. */
export type WorstMetric = {
  [M in StreamMetric]: (typeof STREAM_METRICS)[M] extends { readonly worst: string } ? M : never;
}[StreamMetric];

export const WORST_METRICS: readonly WorstMetric[] = STREAM_METRIC_NAMES.filter(hasWorst);

function hasWorst(metric: StreamMetric): metric is WorstMetric {
  return 'worst' in STREAM_METRICS[metric];
}

const FINEST = { unit: 's', least: 0.01, most: 3_600 } as const;
const RINGING = [1, 2, 5, 10, 15, 20, 30, 45, 60, 120];

/** The times of the setup of a call, under the names of its fields; each is counted once for a call. */
export const SETUP_METRICS = {
  ringSeconds: { ...FINEST, bounds: RINGING },
  setupSeconds: { ...FINEST, bounds: RINGING },
  postDialSeconds: { ...FINEST, bounds: [0.1, 0.2, 0.5, 1, 2, 3, 5, 8, 11, 20] },
} as const satisfies Readonly<Record<string, Scale>>;

export type SetupMetric = keyof typeof SETUP_METRICS;

export const SETUP_METRIC_NAMES: readonly SetupMetric[] = tableKeys(SETUP_METRICS);

export function isSetupMetric(metric: string): metric is SetupMetric {
  return Object.hasOwn(SETUP_METRICS, metric);
}
