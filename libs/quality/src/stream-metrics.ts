import { possibleNumber } from '@ringdown/call-catalogue/metrics';
import {
  STREAM_METRIC_NAMES,
  STREAM_METRICS,
  type Scale,
  type StreamMetric,
  type StreamMetricRow,
} from '@ringdown/call-catalogue/statistics';
import { mosValueOf } from './stream-mos.js';
import type { Measured } from './verdict.js';
import type { Withheld } from './verdicts.js';

/** Values of one stream; unknown ones are omitted. */
export type StreamMetrics = Partial<Readonly<Record<StreamMetric, number>>>;

/** More digits than are measured would only use storage. */
const DECIMALS = 6;

/** A report on one stream, judged. */
export interface JudgedReport extends Measured {
  readonly assumedZero: readonly string[];
  readonly withheld: Withheld | null;
}

/**
 * The metrics from the reports on one stream. Metrics that the verdict assumes to be zero are zero here, too: most
 * senders never report that nothing was lost. A report of too few packets has no metrics.
 */
export function streamMetrics(report: JudgedReport): StreamMetrics {
  if (report.withheld === 'tooFewPackets') return {};
  const values: Partial<Record<StreamMetric, number>> = {};
  for (const name of STREAM_METRIC_NAMES) {
    const value = name === 'mos' ? mosValueOf(report) : streamMetricValue(report, STREAM_METRICS[name]);
    if (value !== undefined) values[name] = rounded(value);
  }
  return values;
}

/** Most values are whole numbers; writing and reading a number takes longer than all else here. */
function rounded(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toFixed(DECIMALS));
}

function streamMetricValue(
  { metrics, assumedZero }: JudgedReport,
  { elements, most }: StreamMetricRow,
): number | undefined {
  let isReported = false;
  for (const element of elements) {
    if (!Object.hasOwn(metrics, element)) continue;
    isReported = true;
    const possible = possibleNumber(element, metrics[element]);
    if (possible !== undefined) return possible <= most ? possible : undefined;
  }
  return !isReported && elements.some((element) => assumedZero.includes(element)) ? 0 : undefined;
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
