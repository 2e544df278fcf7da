import type { AlertDimension } from '@ringdown/call-catalogue/filters';
import type { SiteSubnet } from '../../search/sites/load-sites.js';
import { bucketTime, type Buckets } from '../../store/statistics/buckets.js';
import { Conditions, type CallFilter } from '../../search/filter/call-filter.js';
import { keyedValues, ranked, shownValues } from '../../store/statistics/dimensions.js';
import type { Transaction } from '../../store/database/transaction.js';
import { callNumber, type CallMeasure } from './measures.js';

/** Those with the most calls; each may get an alert of its own. */
const MOST_SCOPES = 100;

export interface CallValuesQuestion {
  readonly measure: CallMeasure;
  readonly shortSeconds: number;
  /** Without times. */
  readonly filter: CallFilter;
  readonly buckets: Buckets;
  readonly by: AlertDimension | null;
  readonly sites: readonly SiteSubnet[];
  /** Values that are measured too, also if they are not among those with the most calls. */
  readonly also: readonly string[];
  readonly mostRows: number;
}

/** The calls of one scope in one bucket. */
export interface CallValue {
  /** Milliseconds since 1970. */
  readonly bucketAt: number;
  /** Null when everything is measured together. */
  readonly value: string | null;
  readonly calls: number;
  /** Of their numbers. */
  readonly sum: number;
}

interface Row {
  readonly bucket: number;
  readonly value: string | null;
  readonly calls: number;
  readonly sum: number;
}

/** By time, then by value; the rows after `mostRows` are left out. Empty buckets have none. */
export async function callValues(
  transaction: Transaction,
  question: CallValuesQuestion,
): Promise<readonly CallValue[]> {
  const { filter, buckets, by, sites, also, measure, shortSeconds, mostRows } = question;
  const conditions = new Conditions({ ...filter, from: buckets.from, to: buckets.to });
  const number = callNumber(measure, () => conditions.placeholder(shortSeconds));
  const [from, seconds] = [conditions.placeholder(buckets.from), conditions.placeholder(buckets.seconds)];
  const sql = `
    with chosen as materialized (
      select call_key, (${number})::numeric as number, addresses, front_ends, search_keys,
        floor(extract(epoch from began_at - ${from}::timestamptz) / ${seconds}::integer)::integer as bucket
      from calls ${conditions.where}
    )${by === 'site' ? `, places as (${chosenAddressSites(conditions.placeholder(JSON.stringify(sites)))})` : ''}, divided as (
      select distinct bucket, value, call_key, number
      from chosen cross join lateral (${callDimensionValues(by)}) as dimension(value) where number is not null
    ), counted as (
      select bucket, value, count(*)::integer as calls, sum(number)::float8 as sum from divided group by bucket, value
    ), ${ranked(['calls'])}
    select bucket, value, calls, sum from with_total
    where ${shownValues(conditions, MOST_SCOPES, also)} order by bucket, value limit ${mostRows}`;
  const { rows } = await transaction.query<Row>(sql, conditions.values);
  return rows.map(({ bucket, ...value }) => ({ bucketAt: Date.parse(bucketTime(buckets, bucket)), ...value }));
}

function callDimensionValues(by: AlertDimension | null): string {
  switch (by) {
    case null:
    // Not a value of calls: the input allows it for rejected records only.
    case 'reason':
      return 'select null::text';
    case 'frontEnd':
      return 'select unnest(front_ends)';
    case 'site':
      return `select sites ->> host(address) from places, unnest(addresses) as address where sites ? host(address)`;
    case 'subnet':
      // The usual prefix lengths of networks, since the real ones are not known.
      return `select network(set_masklen(address, case family(address) when 4 then 24 else 64 end))::text
        from unnest(addresses) as address`;
    default:
      return keyedValues(by);
  }
}

/** The site of every address of the chosen calls, by address: that of the longest matching subnet. */
function chosenAddressSites(sites: string): string {
  return `select jsonb_object_agg(host(address), site) as sites from (
      select distinct on (address) address, site
      from (select distinct unnest(addresses) as address from chosen) as known
      join json_to_recordset(${sites}::json) as sites(site text, net inet) on address <<= net
      order by address, masklen(net) desc
    ) as placed`;
}
