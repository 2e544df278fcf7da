import { bucketTime, type Buckets } from './buckets.js';
import { Conditions, type CallFilter } from '../../search/filter/call-filter.js';
import type { Database } from '../database/database.js';

/** The maximum at the same time within one bucket. */
export interface Load {
  /** When the bucket begins. */
  readonly at: string;
  readonly calls: number;
  /** The sum of all streams, both directions; bit/s as estimated by the records. */
  readonly averageBandwidth: number;
  readonly maximumBandwidth: number;
}

interface Row {
  readonly bucket: number;
  readonly calls: number;
  readonly average: number;
  readonly maximum: number;
}

/**
 * Every beginning and end is a step; the sum of all steps so far is the load at that moment. Each bucket has an empty
 * step at its beginning, so that what continues through the bucket counts. At the same moment, all ends come before all
 * beginnings.
 */
const STEPS = `
  select greatest(began_at, from_time) as at, 1 as rank, 1 as calls, 0::float8 as average, 0::float8 as maximum
  from chosen
  union all
  select until, 0, -1, 0, 0 from chosen
  union all
  select greatest(begins, from_time), 1, 0, average, maximum from streams
  union all
  select ends, 0, 0, -average, -maximum from streams
  union all
  select from_time + step * bucket_length, 2, 0, 0, 0 from bounds, generate_series(0, buckets - 1) as step`;

/** The load from the matching calls, whenever they began. */
export async function loadOf(database: Database, filter: CallFilter, buckets: Buckets): Promise<readonly Load[]> {
  const conditions = new Conditions({ ...filter, from: undefined, to: undefined });
  const from = conditions.placeholder(buckets.from);
  const to = conditions.placeholder(buckets.to);
  conditions.always(`began_at < ${to} and (lasted_until is null or lasted_until >= ${from})`);
  const seconds = conditions.placeholder(buckets.seconds);
  const sql = `
    with bounds as (
      select ${from}::timestamptz as from_time, ${to}::timestamptz as to_time,
        ${seconds}::integer * interval '1 second' as bucket_length,
        ceil(extract(epoch from ${to}::timestamptz - ${from}::timestamptz) / ${seconds}::integer)::integer as buckets
    ), chosen as materialized (
      select began_at, greatest(coalesce(lasted_until, now()), began_at, from_time) as until, media, from_time
      from calls, bounds ${conditions.where}
    ), streams as (
      select coalesce("startedAt", began_at) as begins, average, maximum, from_time,
        greatest(least(coalesce("endedAt", until), until), coalesce("startedAt", began_at), from_time) as ends
      from chosen, jsonb_to_recordset(media) as stream(
        "startedAt" timestamptz, "endedAt" timestamptz, average float8, maximum float8
      )
    ), steps as (${STEPS}), sums as (
      select at, sum(calls) over so_far as calls, sum(average) over so_far as average, sum(maximum) over so_far as maximum
      from steps window so_far as (order by at, rank range unbounded preceding)
    )
    select floor(extract(epoch from at - from_time) / ${seconds}::integer)::integer as bucket, max(calls)::integer as calls,
      round(max(average))::float8 as average, round(max(maximum))::float8 as maximum
    from sums, bounds where at < to_time group by 1 order by 1`;
  const { rows } = await database.readLagging((transaction) => transaction.query<Row>(sql, conditions.values));
  return rows.map(({ bucket, calls, average, maximum }) => {
    return { at: bucketTime(buckets, bucket), calls, averageBandwidth: average, maximumBandwidth: maximum };
  });
}
