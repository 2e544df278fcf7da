import { VERDICTS } from '../calls/call.js';
import type { SiteSubnet } from '../calls/load-sites.js';
import { bucketTime, type Buckets } from './buckets.js';
import { Conditions, type CallFilter } from './call-filter.js';
import { loadOf, type Load } from './concurrency.js';
import type { Database } from './database.js';

/** What calls and streams are counted by. */
export type Dimension = 'frontEnd' | 'site' | 'subnet' | 'medium' | 'codec' | 'connection' | 'userAgent';

export const DIMENSIONS: readonly Dimension[] = [
  'frontEnd',
  'site',
  'subnet',
  'medium',
  'codec',
  'connection',
  'userAgent',
];

export interface CountQuestion {
  readonly filter: CallFilter;
  readonly buckets: Buckets;
  /** Undefined: all together. */
  readonly by?: Dimension | undefined;
  /** Only so many values, those with the most streams. */
  readonly limit: number;
}

/** What one bucket has of one value. A call counts for every value that it has. */
export interface Count {
  /** When the bucket begins. */
  readonly at: string;
  /** Null where it is not known, and where everything is counted together. */
  readonly value: string | null;
  readonly calls: number;
  readonly failedCalls: number;
  readonly expiredCalls: number;
  readonly streams: number;
  readonly good: number;
  readonly poor: number;
  readonly bad: number;
  readonly unknown: number;
}

export interface Counts {
  /** By time, then by value; buckets in which nothing was are left out. */
  readonly items: readonly Count[];
  readonly valuesLeftOut: number;
}

/** For each dimension, the values of one stream; a stream with none counts under null. */
const VALUES: Readonly<Record<Dimension, string>> = {
  frontEnd: 'select unnest(front_ends)',
  medium: 'select medium',
  codec: 'select codec',
  connection: 'select distinct kind from jsonb_array_elements_text(connections) as kind',
  userAgent: 'select distinct agent from jsonb_array_elements_text("userAgents") as agent',
  // By these lengths networks are numbered, where nobody says more.
  subnet: `select distinct network(set_masklen(ip::inet, case family(ip::inet) when 4 then 24 else 64 end))::text
           from jsonb_array_elements_text(addresses) as ip`,
  site: 'select distinct site from jsonb_array_elements_text(addresses) as ip join places on ip = address',
};

const VERDICT_COUNTS = VERDICTS.map((verdict) => {
  return `(count(*) filter (where verdict = '${verdict}'))::integer as ${verdict}`;
}).join(', ');

interface Row extends Omit<Count, 'at'> {
  readonly bucket: number;
  readonly values: number;
}

/** Counts calls and streams, straight from the calls that fit. */
export class Statistics {
  constructor(
    private readonly database: Database,
    private readonly sites: readonly SiteSubnet[],
  ) {}

  async count({ filter, buckets, by, limit }: CountQuestion): Promise<Counts> {
    const conditions = new Conditions({ ...filter, from: buckets.from, to: buckets.to });
    const from = conditions.placeholder(buckets.from);
    const seconds = conditions.placeholder(buckets.seconds);
    const sql = `
      with chosen as materialized (
        select call_key, state, front_ends, media,
          floor(extract(epoch from began_at - ${from}::timestamptz) / ${seconds}::integer)::integer as bucket
        from calls ${conditions.where}
      )${by === 'site' ? `, places as (${this.places(conditions)})` : ''}, counted as (
        select bucket, value, count(distinct call_key)::integer as calls,
          (count(distinct call_key) filter (where state = 'failed'))::integer as "failedCalls",
          (count(distinct call_key) filter (where state = 'expired'))::integer as "expiredCalls",
          count(verdict)::integer as streams, ${VERDICT_COUNTS}
        from chosen
          left join lateral jsonb_to_recordset(media) as stream(
            medium text, codec text, verdict text, addresses jsonb, connections jsonb, "userAgents" jsonb
          ) on true
          left join lateral (${by === undefined ? 'select null::text' : VALUES[by]}) as dimension(value) on true
        group by bucket, value
      ), summed as (
        select *, sum(streams) over by_value as all_streams, sum(calls) over by_value as all_calls
        from counted window by_value as (partition by value)
      ), ranked as (
        select *, dense_rank() over (order by all_streams desc, all_calls desc, value) as rank from summed
      ), told as (
        select *, max(rank) over ()::integer as values from ranked
      )
      select bucket, value, calls, "failedCalls", "expiredCalls", streams, ${VERDICTS.join(', ')}, values
      from told where rank <= ${conditions.placeholder(limit)} order by bucket, value`;
    const { rows } = await this.database.read((transaction) => transaction.query<Row>(sql, conditions.values));
    return {
      items: rows.map(({ bucket, values: _values, ...counts }) => ({ at: bucketTime(buckets, bucket), ...counts })),
      valuesLeftOut: Math.max(0, (rows[0]?.values ?? 0) - limit),
    };
  }

  load(filter: CallFilter, buckets: Buckets): Promise<readonly Load[]> {
    return loadOf(this.database, filter, buckets);
  }

  /** The site of every address of the chosen calls: that of the longest subnet that it is in. */
  private places(conditions: Conditions): string {
    return `select distinct on (address) address, site
      from (
        select distinct ip as address
        from chosen, jsonb_to_recordset(media) as stream(addresses jsonb), jsonb_array_elements_text(addresses) as ip
      ) as known
      join json_to_recordset(${conditions.placeholder(JSON.stringify(this.sites))}::json) as sites(site text, net inet)
        on address::inet <<= net
      order by address, masklen(net) desc`;
  }
}
