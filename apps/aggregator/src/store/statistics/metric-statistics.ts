import { CALL_RANGES, type Dimension } from '@ringdown/call-catalogue/filters';
import {
  isSetupMetric,
  SETUP_METRICS,
  STREAM_METRICS,
  type Scale,
  type SetupMetric,
  type StreamMetric,
} from '@ringdown/call-catalogue/statistics';
import { fineBounds } from '@ringdown/quality';
import type { SiteSubnet } from '../../search/sites/load-sites.js';
import { bucketTime, type Buckets } from './buckets.js';
import { Conditions, type CallFilter } from '../../search/filter/call-filter.js';
import type { Database } from '../database/database.js';
import { dividedStreams, ranked, shownValues, valuesLeftOut } from './dimensions.js';

export interface MetricQuestion {
  readonly filter: CallFilter;
  readonly buckets: Buckets;
  readonly metric: StreamMetric | SetupMetric;
  /** Undefined: everything together. */
  readonly by?: Dimension | undefined;
  /** The maximum number of values: those with the most streams for which the metric is known. */
  readonly limit: number;
  /** Shown too, also if they are not among the first. */
  readonly values?: readonly string[] | undefined;
}

/** One metric of the streams in one bucket with one value, in the unit of its scale. */
export interface MetricCount {
  /** When the bucket begins. */
  readonly at: string;
  /** Null when it is not known, and when everything is counted together. */
  readonly value: string | null;
  /** Streams for which the metric is known; calls, if it is a time of their setup. */
  readonly streams: number;
  readonly average: number;
  /** This many percent of the streams have at most this value; up to 5 % too high, see {@link fineBounds}. */
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** The number of streams in each class of the scale, and finally above its last bound. */
  readonly distribution: readonly number[];
}

export interface MetricCounts {
  readonly unit: Scale['unit'];
  readonly bounds: readonly number[];
  /** By time, then by value; there is no item when no stream has the metric. */
  readonly items: readonly MetricCount[];
  readonly valuesLeftOut: number;
}

interface Row {
  readonly bucket: number;
  readonly value: string | null;
  readonly streams: number;
  readonly sum: number;
  readonly max: number;
  /** Fine classes that contain streams, in ascending order, and the number of streams in each. */
  readonly classes: readonly number[];
  readonly counts: readonly number[];
  readonly values: number;
}

export async function metricCounts(
  database: Database,
  sites: readonly SiteSubnet[],
  { filter, buckets, metric, by, limit, values }: MetricQuestion,
): Promise<MetricCounts> {
  const conditions = new Conditions({ ...filter, from: buckets.from, to: buckets.to });
  const { scale, columns, callColumns, measured } = sourceOf(metric);
  const fine = fineBounds(scale);
  const sql = `
    with ${dividedStreams(conditions, { buckets, by, sites, columns, callColumns })}, measured as (${measured}), classed as (
      select bucket, value, ${classOf('metric', fine, conditions)} as class,
        count(*)::integer as streams, sum(metric) as sum, max(metric) as max
      from measured where metric is not null group by bucket, value, class
    ), counted as (
      select bucket, value, sum(streams)::integer as streams, sum(sum)::float8 as sum, max(max)::float8 as max,
        array_agg(class order by class) as classes, array_agg(streams order by class) as counts
      from classed group by bucket, value
    ), ${ranked(['streams'])}
    select bucket, value, streams, sum, max, classes, counts, values
    from with_total where ${shownValues(conditions, limit, values)} order by bucket, value`;
  const { rows } = await database.readLagging((transaction) => transaction.query<Row>(sql, conditions.values));
  return {
    unit: scale.unit,
    bounds: scale.bounds,
    items: rows.map((row) => ({ at: bucketTime(buckets, row.bucket), value: row.value, ...summary(row, scale, fine) })),
    valuesLeftOut: valuesLeftOut(rows, limit),
  };
}

interface Source {
  readonly scale: Scale;
  readonly columns: string;
  readonly callColumns: readonly string[];
  /** Selects `bucket`, `value` and `metric` from `divided`. */
  readonly measured: string;
}

/** Numeric, because its sums are the same in whatever order the values are added. */
function sourceOf(metric: StreamMetric | SetupMetric): Source {
  if (!isSetupMetric(metric)) {
    const measured = `select bucket, value, "${metric}" as metric from divided`;
    return { scale: STREAM_METRICS[metric], columns: `"${metric}" numeric`, callColumns: [], measured };
  }
  const { column } = CALL_RANGES[metric];
  // A call counts once for each of its values, however many streams it has.
  const measured = `select distinct call_key, bucket, value, ${column}::numeric as metric from divided`;
  return { scale: SETUP_METRICS[metric], columns: 'verdict text', callColumns: [column], measured };
}

/** The number of upper bounds that a value exceeds. `bounds`: ascending. */
function classOf(value: string, bounds: readonly number[], conditions: Conditions): string {
  // width_bucket includes the lower bound: so signs and order are reversed.
  const reversed = conditions.placeholder(bounds.map((bound) => -bound).toReversed());
  return `${bounds.length} - width_bucket(-${value}, ${reversed}::numeric[])`;
}

type Measured = Pick<Row, 'streams' | 'sum' | 'max' | 'classes' | 'counts'>;

function summary(row: Measured, scale: Scale, fine: readonly number[]): Omit<MetricCount, 'at' | 'value'> {
  const { streams, sum, max, classes, counts } = row;
  const share = (percent: number): number => Math.min(max, upperBound(row, (streams * percent) / 100, fine));
  const distribution = Array<number>(scale.bounds.length + 1).fill(0);
  for (const [index, fineClass] of classes.entries()) {
    const above = scale.bounds.filter((bound) => bound < (fine[fineClass] ?? Infinity)).length;
    distribution[above] = (distribution[above] ?? 0) + (counts[index] ?? 0);
  }
  const [p50, p90, p95, p99] = [share(50), share(90), share(95), share(99)];
  return { streams, average: sum / streams, p50, p90, p95, p99, max, distribution };
}

/** The bound of the first fine class at which the running total reaches `wanted`. */
function upperBound({ classes, counts }: Measured, wanted: number, fine: readonly number[]): number {
  let seen = 0;
  for (const [index, fineClass] of classes.entries()) {
    seen += counts[index] ?? 0;
    if (seen >= wanted) return fine[fineClass] ?? Infinity;
  }
  return Infinity;
}
