import { filterRow, KEYED_FIELDS, type KeyedField, type StreamField } from '@ringdown/call-catalogue/fields';
import type { Dimension, Place } from '@ringdown/call-catalogue/filters';
import type { SiteSubnet } from '../../search/sites/load-sites.js';
import { frontEndKey } from '../../calls/call-keys.js';
import { fieldKey, searchKey } from '../../search/keys/search-keys.js';
import type { Buckets } from './buckets.js';
import type { Conditions } from '../../search/filter/call-filter.js';

interface StreamValues {
  /** Selects the values of one stream; a stream without a value counts under null. */
  readonly values: string;
  /** The column of each stream of `media` that this reads, with its type. */
  readonly column?: string;
}

/** Selects the values of one stream; of a site, with the sites of {@link placesOfChosen}. */
export const VALUES: Readonly<Record<StreamField | Place, StreamValues>> = {
  frontEnd: { values: 'select unnest(front_ends)' },
  medium: { values: 'select medium', column: 'medium text' },
  codec: { values: 'select codec', column: 'codec text' },
  connection: {
    values: 'select distinct kind from jsonb_array_elements_text(connections) as kind',
    column: 'connections jsonb',
  },
  userAgent: {
    values: 'select distinct agent from jsonb_array_elements_text("userAgents") as agent',
    column: '"userAgents" jsonb',
  },
  // The usual prefix lengths of networks, since the real ones are not known.
  subnet: {
    values: `select distinct network(set_masklen(ip::inet, case family(ip::inet) when 4 then 24 else 64 end))::text
             from jsonb_array_elements_text(addresses) as ip`,
    column: 'addresses jsonb',
  },
  // Looked up, because a join inside `lateral` would scan all addresses for each stream.
  site: {
    values: `select distinct (select sites from places) ->> ip from jsonb_array_elements_text(addresses) as ip
             where (select sites from places) ? ip`,
    column: 'addresses jsonb',
  },
};

export interface Division {
  readonly buckets: Buckets;
  /** Undefined: everything together. */
  readonly by: Dimension | undefined;
  readonly sites: readonly SiteSubnet[];
  /** The required columns of each stream of `media`, with their types. */
  readonly columns: string;
  /** The required columns of each call. */
  readonly callColumns?: readonly string[];
}

/**
 * Common table expressions that end with `divided`: a row for each value of each stream of the matching calls, with the
 * bucket and the columns; for a call without streams, one row with nulls.
 */
export function dividedStreams(conditions: Conditions, division: Division): string {
  const { callColumns = [] } = division;
  return `${chosenCalls(conditions, division)}, divided as (
      select bucket, value, call_key, state,${callColumns.map((column) => ` ${column},`).join('')} stream.*
      from chosen ${streamValues(division)}
    )`;
}

/**
 * Common table expressions that end with `of_calls`: a row for each value that a matching call has in its streams, with its
 * bucket, its state and `counts` of these streams. Calls are counted by these rows: to count the different calls among
 * streams, all streams would be sorted.
 */
export function countedByCall(conditions: Conditions, division: Division, counts: string): string {
  return `${chosenCalls(conditions, division)}, of_calls as (
      select bucket, state, of_value.* from chosen cross join lateral (
        select value, ${counts} from (select) as streams ${streamValues(division)} group by value
      ) as of_value
    )`;
}

/** It is not materialized unless it is read twice: the calls of weeks would be written to the disk, by one process. */
function chosenCalls(conditions: Conditions, { buckets, by, sites, callColumns = [] }: Division): string {
  const from = conditions.placeholder(buckets.from);
  const seconds = conditions.placeholder(buckets.seconds);
  return `chosen as (
      select call_key, state, front_ends, media,${callColumns.map((column) => ` ${column},`).join('')}${by !== undefined && isKeyed(by) ? ' search_keys,' : ''}
        floor(extract(epoch from began_at - ${from}::timestamptz) / ${seconds}::integer)::integer as bucket
      from calls ${conditions.where}
    )${by === 'site' ? `, places as (${placesOfChosen(conditions, sites)})` : ''}`;
}

/** Each column of a stream costs as much as finding the stream, so only the required ones are read. */
function streamValues({ by, columns }: Division): string {
  const { values, column } = by === undefined ? TOGETHER : dimensionStreamValues(by);
  return `left join lateral jsonb_to_recordset(media) as stream(${column === undefined ? columns : `${columns}, ${column}`}) on true
        left join lateral (${values}) as dimension(value) on true`;
}

/** Calls also have the hidden form of a key, which would count them twice. */
export const HIDDEN_FORM = 'hidden-[0-9a-fA-F]{16}';

const HAS_HIDDEN_FORM = new RegExp(HIDDEN_FORM);

export function isHiddenForm(value: string): boolean {
  return HAS_HIDDEN_FORM.test(value);
}

export function isKeyed(by: Dimension): by is KeyedField {
  return KEYED_FIELDS.some((each) => each === by);
}

const TOGETHER: StreamValues = { values: 'select null::text' };

function dimensionStreamValues(by: Dimension): StreamValues {
  return isKeyed(by) ? { values: keyedValues(by) } : VALUES[by];
}

/** How a value that a client writes is counted. */
export function countedValue(by: Dimension, value: string): string {
  if (by === 'frontEnd') return frontEndKey(value);
  return isKeyed(by) ? fieldKey(by, value).slice(searchKey(filterRow(by).kind, '').length) : value;
}

/**
 * Selects the values of one call, from its `search_keys`. `wanted`: the placeholder of values that are counted in their hidden form,
 * too, if they are among these.
 */
export function keyedValues(by: KeyedField, wanted?: string): string {
  const prefix = searchKey(filterRow(by).kind, '');
  const value = `substr(key, ${prefix.length + 1})`;
  const isWanted = wanted === undefined ? '' : ` or ${value} = any(${wanted}::text[])`;
  return `select ${value} from unnest(search_keys) as key
    where starts_with(key, '${prefix}') and (key !~ '${HIDDEN_FORM}'${isWanted})`;
}

/** The site of every address of the selected calls, by address: that of the longest matching subnet. */
export function placesOfChosen(conditions: Conditions, sites: readonly SiteSubnet[]): string {
  return `select jsonb_object_agg(address, site) as sites
    from (
      select distinct on (address) address, site
      from (
        select distinct ip as address
        from chosen, jsonb_to_recordset(media) as stream(addresses jsonb), jsonb_array_elements_text(addresses) as ip
      ) as known
      join json_to_recordset(${conditions.placeholder(JSON.stringify(sites))}::json) as sites(site text, net inet)
        on address::inet <<= net
      order by address, masklen(net) desc
    ) as placed`;
}

/**
 * Common table expressions that end with `with_total`: the rows of `counted`, with the rank of their value by the sums of
 * `columns` (`rank`, from 1) and the number of values (`values`).
 */
export function ranked(columns: readonly string[]): string {
  const sums = columns.map((column) => `sum(${column}) over by_value as all_${column}`);
  const order = [...columns.map((column) => `all_${column} desc`), 'value'];
  return `summed as (
      select *, ${sums.join(', ')} from counted window by_value as (partition by value)
    ), ranked as (
      select *, dense_rank() over (order by ${order.join(', ')}) as rank from summed
    ), with_total as (
      select *, max(rank) over ()::integer as values from ranked
    )`;
}

/** The condition on rows of `with_total` for the first values, and also `values` of another time if they are given. */
export function shownValues(conditions: Conditions, limit: number, values?: readonly string[]): string {
  const first = `rank <= ${conditions.placeholder(limit)}`;
  return values === undefined
    ? first
    : `(${first} or value is null or value = any(${conditions.placeholder(values)}::text[]))`;
}

/** The number of values that do not fit into the response, from rows of `with_total`. */
export function valuesLeftOut(rows: readonly { readonly values: number }[], limit: number): number {
  return Math.max(0, (rows[0]?.values ?? 0) - limit);
}
