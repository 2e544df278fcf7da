import { presentName } from '@ringdown/call-catalogue/fields';
import { DIMENSIONS, LOAD_DIMENSIONS, type Dimension, type LoadDimension } from '@ringdown/call-catalogue/filters';
import {
  SETUP_METRIC_NAMES,
  STREAM_METRIC_NAMES,
  type SetupMetric,
  type StreamMetric,
} from '@ringdown/call-catalogue/statistics';
import { rejectParameter } from '@ringdown/web-server/errors';
import { Renamed, WholeNumber } from '@ringdown/web-server/input';
import { IsDefined } from 'class-validator';
import type { Buckets } from '../../store/statistics/buckets.js';
import { COUNT_SORTS, type CountSort } from '../../store/statistics/statistics.js';
import type { CallFilter } from '../../search/filter/call-filter.js';
import { requestedPeriod } from '../../search/filter/requested-period.js';
import { CallFilterQuery } from '../../search/query/call-filter-query.js';
import { DEFAULT_LIMIT, Limit, OneOf, ShortTexts } from '../../search/filter/query-fields.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MAX_BUCKETS = 1_000;
const LONGEST_VALUE = 255;

/** Parameters of all statistics by time. */
class PeriodQuery extends CallFilterQuery {
  @WholeNumber(60, 2_678_400)
  bucketSeconds = 3_600;

  /** The response also contains the period before, of the same length. */
  @OneOf(['before'])
  compare?: 'before';
}

/** Parameters of `GET /api/statistics/load`. */
export class LoadQuery extends PeriodQuery {
  @Renamed(presentName)
  @OneOf(LOAD_DIMENSIONS)
  by?: LoadDimension;

  /** Only these. */
  @ShortTexts('values', LONGEST_VALUE)
  values?: readonly string[];

  @Limit()
  limit = DEFAULT_LIMIT;
}

/** Parameters of statistics that are split by value. */
class DividedQuery extends PeriodQuery {
  @Renamed(presentName)
  @OneOf(DIMENSIONS)
  by?: Dimension;

  @Limit()
  limit = DEFAULT_LIMIT;
}

/** Parameters of `GET /api/statistics/streams`. */
export class CountQuery extends DividedQuery {
  @OneOf(COUNT_SORTS)
  sort: CountSort = 'streams';
}

const METRICS: readonly string[] = [...STREAM_METRIC_NAMES, ...SETUP_METRIC_NAMES];

/** Parameters of `GET /api/statistics/metrics`. */
export class MetricQuery extends DividedQuery {
  @IsDefined({ message: `metric must be one of ${METRICS.join(', ')}` })
  @OneOf(METRICS)
  metric!: StreamMetric | SetupMetric;
}

/** The period of the same length that ends when this one begins. Throws a {@link Fault} when it begins before 1970. */
export function bucketsBefore({ from, to, seconds }: Buckets): Buckets {
  const since = 2 * from.getTime() - to.getTime();
  if (since < 0)
    rejectParameter('compare', 'the period before begins before 1970: choose a later or a shorter time', 'conflict');
  return { from: new Date(since), to: from, seconds };
}

/**
 * Without times, the day before `now`, milliseconds since 1970. Throws a {@link Fault} when there would be too many
 * buckets.
 */
export function statisticsBuckets(
  { from, to }: Pick<CallFilter, 'from' | 'to'>,
  bucketSeconds: number,
  now: number,
): Buckets {
  const period = statisticsPeriod({ from, to }, now);
  const count = (period.to.getTime() - period.from.getTime()) / (bucketSeconds * 1_000);
  if (count > MAX_BUCKETS) {
    rejectParameter(
      'bucketSeconds',
      `at most ${MAX_BUCKETS} buckets are allowed: choose longer buckets or a shorter time`,
      'number',
    );
  }
  return { ...period, seconds: bucketSeconds };
}

/** The load of whole hours is kept by the minutes of the clock: where `from` was not given, it is the next of them. */
export function withMinutes(buckets: Buckets): Buckets {
  const minutes = Math.ceil(buckets.from.getTime() / MINUTE_MS) * MINUTE_MS;
  return { ...buckets, from: new Date(Math.min(minutes, buckets.to.getTime() - 1)) };
}

/** Without times, the day before `now`, milliseconds since 1970. Throws a {@link Fault} as {@link requestedPeriod}. */
export function statisticsPeriod(given: Pick<CallFilter, 'from' | 'to'>, now: number): Pick<Buckets, 'from' | 'to'> {
  return requestedPeriod(given, now, DAY_MS);
}
