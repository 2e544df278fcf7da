import type { LoadDimension } from '@ringdown/call-catalogue/filters';
import type { Conditions } from '../../../search/filter/call-filter.js';
import type { Buckets } from '../buckets.js';

export const MINUTE_SECONDS = 60;
export const MINUTE_MS = MINUTE_SECONDS * 1_000;
const P95 = 0.95;

/**
 * The rest of a query that begins with the common table expressions of `loadSteps`: one row for each series.
 *
 * Steps are added up once, and only moments at which something begins or ends become rows (`atoms`: what is in the same minute and
 * the same bucket). What lasts from one atom to a later one is the load of all minutes and buckets between them, and of the later
 * one itself if that does not begin with its bucket or minute. So the cost depends on the number of calls, not of minutes.
 */
export function loadSums(
  conditions: Conditions,
  { from, to, seconds }: Buckets,
  by: LoadDimension | undefined,
): string {
  const period = (to.getTime() - from.getTime()) / 1_000;
  const [end, bucket] = [conditions.placeholder(period), conditions.placeholder(seconds)];
  const minutes = `ceil(${end}::float8 / ${MINUTE_SECONDS})::integer`;
  const buckets = `ceil(${end}::float8 / ${bucket}::integer)::integer`;
  return `
    sums as (
      select series, at, attempts, sum(calls) over so_far as calls, sum(average) over so_far as average,
        sum(maximum) over so_far as maximum, lead(at) over so_far as next_at,
        floor(at / ${MINUTE_SECONDS})::integer as minute, floor(at / ${bucket}::integer)::integer as bucket
      from steps where at < ${end}::float8
      window so_far as (partition by series order by at, rank range unbounded preceding)
    ), atoms as (
      select series, bucket, minute, min(at) as first, ${LOADS.map((load) => `max(${load}) as ${load}`).join(', ')},
        sum(attempts)::integer as attempts,
        ${LOADS.map((load) => `max(${load}) filter (where is_last) as ${load}_left`).join(', ')}
      from (
        select *, next_at is null or floor(next_at / ${MINUTE_SECONDS}) > minute
          or floor(next_at / ${bucket}::integer) > bucket as is_last
        from sums
      ) as ordered
      group by series, bucket, minute
    ), lasting as (
      select *, ${LOADS.map((load) => `lag(${load}_left) over by_time as ${load}_before`).join(', ')},
        coalesce(lead(minute) over by_time, ${minutes}) as next_minute,
        coalesce(lead(bucket) over by_time, ${buckets}) as next_bucket
      from atoms window by_time as (partition by series order by bucket, minute)
    ), ${ofMinutes(minutes, by)}, ${ofBuckets(bucket)}
    select shown.value, shown.values, peaks.*, shares.*, filled.*
    from shown join peaks using (series) join shares using (series) left join filled using (series)`;
}

const LOADS = ['calls', 'average', 'maximum'];

/** The load of an atom with what lasts from the one before, if `first` is later than its `begin`. */
function withLasting(load: string, begin: string): string {
  return `max(case when first > ${begin} then greatest(${load}, ${load}_before) else ${load} end)`;
}

/** `peaks` and `shares` of each series. */
function ofMinutes(minutes: string, by: LoadDimension | undefined): string {
  const begin = `minute * ${MINUTE_SECONDS}`;
  return `minutes as (
      select series, minute, ${withLasting('calls', begin)} as calls, ${withLasting('average', begin)} as average,
        sum(attempts)::integer as attempts
      from lasting group by series, minute
    ), peaks as (
      select series, max(calls)::integer as peak, min(minute) filter (where calls = most_calls) as "peakMinute",
        round(max(average))::float8 as widest, min(minute) filter (where average = most_average) as "widestMinute",
        sum(attempts)::integer as attempts, max(attempts) as busiest,
        min(minute) filter (where attempts = most_attempts) as "busiestMinute"
      from (
        select *, max(calls) over of_series as most_calls, max(average) over of_series as most_average,
          max(attempts) over of_series as most_attempts
        from minutes window of_series as (partition by series)
      ) as ranked
      group by series
    ), weights as (
      select series, calls, average, 1 as weight from minutes
      union all
      select series, calls_left, average_left, next_minute - minute - 1 from lasting where next_minute > minute + 1
    ), weighed as (
      select *, ${minutes} - sum(weight) over of_series as idle,
        sum(weight) over (of_series order by calls) as up_to_calls,
        sum(weight) over (of_series order by average) as up_to_average
      from weights window of_series as (partition by series)
    ), shares as (
      select series, ${percentile('calls', minutes)}::integer as "p95Calls",
        round(${percentile('average', minutes)})::float8 as "p95Average",
        ${by === 'trunk' ? TRUNK_LIMIT : 'null::integer as "limit", null::integer as "minutesAbove"'}
      from weighed join shown using (series)
      ${by === 'trunk' ? 'left join trunk_limits on trunk = value collate "C"' : ''}
      group by series
    )`;
}

/** Minutes without a call have no weights. */
function percentile(load: string, minutes: string): string {
  const wanted = `${P95} * ${minutes}`;
  return `case when max(idle) >= ${wanted} then 0 else min(weighed.${load}) filter (where idle + up_to_${load} >= ${wanted}) end`;
}

const TRUNK_LIMIT = `max(trunk_limits.calls) as "limit", case when max(trunk_limits.calls) is null then null
          else coalesce(sum(weight) filter (where weighed.calls > trunk_limits.calls), 0)::integer end as "minutesAbove"`;

/** \`filled\`: the buckets of each series that are not empty, as arrays. */
function ofBuckets(bucket: string): string {
  const begin = `bucket * ${bucket}::integer`;
  return `buckets as (
      select series, bucket, ${LOADS.map((load) => `${withLasting(load, begin)} as ${load}`).join(', ')},
        sum(attempts) as begun, max(attempts) as most
      from lasting group by series, bucket
      union all
      select series, generate_series(bucket + 1, next_bucket - 1), calls_left, average_left, maximum_left, 0, 0
      from lasting where next_bucket > bucket + 1
    ), filled as (
      select series, array_agg(bucket order by bucket) as buckets, array_agg(calls::integer order by bucket) as calls,
        array_agg(round(average)::float8 order by bucket) as averages,
        array_agg(round(maximum)::float8 order by bucket) as maximums,
        array_agg(begun::integer order by bucket) as begun, array_agg(most::integer order by bucket) as most
      from buckets where calls > 0 or begun > 0 or round(maximum) > 0 or round(average) > 0 group by series
    )`;
}
