import { filterRow } from '@ringdown/call-catalogue/fields';
import { SUSPECT_DIMENSIONS, type Place, type SuspectDimension } from '@ringdown/call-catalogue/filters';
import { LEAST_CALLS, type Fact } from '@ringdown/quality/suspects';
import { Conditions, type CallFilter } from '../../../search/filter/call-filter.js';
import { searchKey } from '../../../search/keys/search-keys.js';
import type { SiteSubnet } from '../../../search/sites/load-sites.js';
import type { Transaction } from '../../database/transaction.js';
import { HIDDEN_FORM } from '../dimensions.js';
import { hasBitSql, problemBits } from './call-problems.js';

/** A call as it is counted. */
export interface SuspectRow {
  readonly callKey: string;
  /** Seconds since 1970, of the bucket in which it began. */
  readonly at: number;
  /** See `problemBits`. */
  readonly problems: number;
  /** The dimensions of which it has values, as in `SuspectCall`. */
  readonly known: number;
  readonly facts: readonly number[];
  /** SIP status, if it failed by a fault. */
  readonly code: number | null;
  readonly refusedBy: number | undefined;
}

export interface SuspectRows {
  readonly facts: readonly Fact<SuspectDimension>[];
  readonly rows: readonly SuspectRow[];
}

export interface RowsQuestion {
  readonly filter: CallFilter;
  /** One call of so many, a power of 2; always the same ones. */
  readonly oneOf: number;
  readonly bucketSeconds: number;
  readonly sites: readonly SiteSubnet[];
}

interface Row extends Omit<SuspectRow, 'callKey' | 'refusedBy'> {
  readonly callKey: string | null;
  readonly refusedBy: string | null;
  /** Of the only row that is no call: the keys of all facts. */
  readonly keys: readonly string[] | null;
}

/** The names in keys. Sites and networks are found by addresses: search keys of subnets are of several lengths, and not for reading. */
const KINDS: readonly string[] = SUSPECT_DIMENSIONS.map((name) => (isPlace(name) ? name : filterRow(name).kind));
const NAMED = KINDS.filter((_, n) => !isPlace(SUSPECT_DIMENSIONS[n]));

function isPlace(name: SuspectDimension | undefined): name is Place {
  return name === 'site' || name === 'subnet';
}

/** The conditions of a filter for one call of so many. */
export function sampledConditions(filter: CallFilter, oneOf: number): Conditions {
  const conditions = new Conditions(filter);
  if (oneOf > 1) conditions.always(`hashtext(call_key) & ${oneOf - 1} = 0`);
  return conditions;
}

/** The matching calls with their values of all dimensions. A value that few calls have is no fact. */
export async function readSuspectRows(transaction: Transaction, question: RowsQuestion): Promise<SuspectRows> {
  const conditions = sampledConditions(question.filter, question.oneOf);
  const kinds = `${conditions.placeholder(KINDS)}::text[]`;
  const named = `${conditions.placeholder(NAMED)}::text[]`;
  const sql = `
    with chosen as materialized (
      select (row_number() over ())::integer as number, call_key, began_at, search_keys, addresses,
        ${problemBits(conditions)} as problems
      from calls ${conditions.where}
    ), ${placedAddresses(conditions, question.sites)}, named as materialized (
      select number, key, array_position(${kinds}, split_part(key, ':', 1)) as dimension
      from chosen, unnest(search_keys) as key
      where split_part(key, ':', 1) = any(${named}) and key !~ '${HIDDEN_FORM}'
      union all
      select distinct number, place, array_position(${kinds}, split_part(place, ':', 1))
      from chosen, unnest(addresses) as address join places using (address), unnest(names) as place
    ), common as materialized (
      select key, (row_number() over (order by key collate "C"))::integer - 1 as fact
      from named group by key having count(*) >= ${LEAST_CALLS}
    ), of_calls as (
      select number, bit_or(1 << (dimension - 1)) as known, array_agg(fact) filter (where fact is not null) as facts
      from named left join common using (key) group by number
    )
    select null as "callKey", null::float8 as at, null::integer as problems, null::integer as known, null::integer[] as facts,
      null::integer as code, null as "refusedBy", (select array_agg(key order by fact) from common) as keys
    union all
    select call_key, floor(extract(epoch from began_at) / ${question.bucketSeconds}) * ${question.bucketSeconds}, problems,
      coalesce(known, 0), coalesce(facts, '{}'), (${keyOfFailed('endCode')})::integer, ${keyOfFailed('refusedBy')}, null
    from chosen left join of_calls using (number)`;
  const { rows } = await transaction.query<Row>(sql, conditions.values);
  return withFacts(rows);
}

/** Each address of the calls with its network and its site, as keys. */
function placedAddresses(conditions: Conditions, sites: readonly SiteSubnet[]): string {
  const list = conditions.placeholder(JSON.stringify(sites));
  return `site_nets as materialized (
      select site, net from json_to_recordset(${list}::json) as sites(site text, net inet)
    ), known_addresses as (
      select distinct address from chosen, unnest(addresses) as address
    ), places as materialized (
      select address, array_remove(array[
        'subnet:' || network(set_masklen(address, case family(address) when 4 then 24 else 64 end))::text,
        (select 'site:' || site from site_nets where address <<= net order by masklen(net) desc limit 1)
      ], null) as names
      from known_addresses
    )`;
}

function keyOfFailed(kind: 'endCode' | 'refusedBy'): string {
  const prefix = searchKey(kind, '');
  return `case when ${hasBitSql('problems', 'failed')} then (select substr(key, ${prefix.length + 1}) from unnest(search_keys) as key
        where starts_with(key, '${prefix}') and key !~ '${HIDDEN_FORM}' limit 1) end`;
}

function withFacts(all: readonly Row[]): SuspectRows {
  const keys = all.find((row) => row.keys !== null)?.keys ?? [];
  const hops = new Map(keys.map((key, fact) => [key, fact]));
  const rows = all.flatMap(({ callKey, refusedBy, keys: _none, ...row }): readonly SuspectRow[] => {
    if (callKey === null) return [];
    return [{ callKey, ...row, refusedBy: refusedBy === null ? undefined : hops.get(searchKey('hop', refusedBy)) }];
  });
  return { facts: keys.map((key) => factOfKey(key)), rows };
}

function factOfKey(key: string): Fact<SuspectDimension> {
  const colon = key.indexOf(':');
  const dimension = SUSPECT_DIMENSIONS[KINDS.indexOf(key.slice(0, colon))];
  if (dimension === undefined) throw new Error(`the key "${key}" has no dimension`);
  return { dimension, value: key.slice(colon + 1) };
}
