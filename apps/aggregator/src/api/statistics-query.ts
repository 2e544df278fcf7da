import { InterfaceError } from '@ringdown/web-server';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { queryErrors } from '../errors.js';
import type { Buckets } from '../store/buckets.js';
import { STREAM_METRIC_NAMES, type StreamMetric } from '../calls/stream-metrics.js';
import { DIMENSIONS, type Dimension } from '../store/dimensions.js';
import { COUNT_SORTS, type CountSort } from '../store/statistics.js';
import { CallFilterQuery } from './call-filter-query.js';
import { DEFAULT_LIMIT, Digits, Limit } from './limit-query.js';
import { all, momentOf } from './query-fields.js';

const DAY_MS = 86_400_000;
const MAX_BUCKETS = 1_000;
const bucketRange = { message: 'bucketSeconds must be a whole number from 60 to 2678400' };

/** Parameters of `GET /api/statistics/load`. */
export class LoadQuery extends CallFilterQuery {
  @all(IsOptional(), Digits(), IsInt(bucketRange), Min(60, bucketRange), Max(2_678_400, bucketRange))
  bucketSeconds = 3_600;
}

/** Parameters of what is told of several values. */
class DividedQuery extends LoadQuery {
  @IsOptional()
  @IsIn([...DIMENSIONS], { message: `by must be one of ${DIMENSIONS.join(',')}` })
  by?: Dimension;

  @Limit()
  limit = DEFAULT_LIMIT;
}

/** Parameters of `GET /api/statistics/streams`. */
export class CountQuery extends DividedQuery {
  @IsOptional()
  @IsIn([...COUNT_SORTS], { message: `sort must be one of ${COUNT_SORTS.join(',')}` })
  sort: CountSort = 'streams';
}

/** Parameters of `GET /api/statistics/metrics`. */
export class MetricQuery extends DividedQuery {
  @IsIn([...STREAM_METRIC_NAMES], { message: `metric must be one of ${STREAM_METRIC_NAMES.join(',')}` })
  metric!: StreamMetric;
}

/** Without times, the day before `now`, milliseconds since 1970. Throws an {@link InterfaceError} when there would be too many buckets. */
export function bucketsOf({ from, to, bucketSeconds }: LoadQuery, now: number): Buckets {
  const until = momentOf(to) ?? new Date(Math.max(now, (momentOf(from)?.getTime() ?? 0) + 1));
  const since = momentOf(from) ?? new Date(until.getTime() - DAY_MS);
  const count = (until.getTime() - since.getTime()) / (bucketSeconds * 1_000);
  if (count > MAX_BUCKETS) {
    const reason = `there may be ${MAX_BUCKETS} buckets at most: choose longer ones or a shorter time`;
    throw new InterfaceError(queryErrors.badParameter, {
      message: reason,
      parameters: [{ name: 'bucketSeconds', reason }],
    });
  }
  return { from: since, to: until, seconds: bucketSeconds };
}
