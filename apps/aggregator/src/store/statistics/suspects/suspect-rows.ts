import { filterRow } from '@ringdown/call-catalogue/fields';
import { SUSPECT_DIMENSIONS, type Place, type SuspectDimension } from '@ringdown/call-catalogue/filters';
import type { Fact } from '@ringdown/quality/suspects';
import { Conditions, type CallFilter } from '../../../search/filter/call-filter.js';
import { searchKey } from '../../../search/keys/search-keys.js';
import type { SiteSubnet } from '../../../search/sites/load-sites.js';
import type { Transaction } from '../../database/transaction.js';
import { isHiddenForm } from '../dimensions.js';
import { inSpans, type Span } from '../hours/counted-time.js';
import { isSampled, type CountedCall, type CountedCalls } from '../hours/hour-calls.js';
import { hasBit, problemBits } from './call-problems.js';

export interface RowsQuestion {
  readonly filter: CallFilter;
  /** One call of so many, a power of 2; always the same ones. */
  readonly oneOf: number;
  /** Of `at`: 1 for the second in which a call began. */
  readonly bucketSeconds: number;
  readonly sites: readonly SiteSubnet[];
  /** Only calls that began then. */
  readonly within?: readonly Span[] | undefined;
}

interface Row extends Pick<CountedCall, 'callKey' | 'at' | 'problems'> {
  /** All search keys. */
  readonly keys: readonly string[];
  readonly addresses: readonly string[];
}

/** The names in keys. Sites and networks are found by addresses: search keys of subnets are of several lengths, and not for reading. */
const KINDS: readonly string[] = SUSPECT_DIMENSIONS.map((name) => (isPlace(name) ? name : filterRow(name).kind));
const DIMENSION_OF_KIND: ReadonlyMap<string, number> = new Map(KINDS.map((kind, n) => [kind, n]));
const PLACES: readonly string[] = KINDS.filter((_, n) => isPlace(SUSPECT_DIMENSIONS[n]));

function isPlace(name: SuspectDimension | undefined): name is Place {
  return name === 'site' || name === 'subnet';
}

/** The conditions of a filter for one call of so many. */
export function sampledConditions(filter: CallFilter, oneOf: number, within?: readonly Span[]): Conditions {
  const conditions = new Conditions(filter);
  if (oneOf > 1) conditions.always(isSampled(oneOf));
  if (within !== undefined) conditions.always(inSpans('began_at', within, (time) => conditions.placeholder(time)));
  return conditions;
}

/**
 * The matching calls with their values of all dimensions, from the calls themselves. Values are found here: in the database, the patterns of
 * keys took a quarter of a millisecond a call.
 */
export async function readSuspectRows(transaction: Transaction, question: RowsQuestion): Promise<CountedCalls> {
  const { bucketSeconds, sites } = question;
  const conditions = sampledConditions(question.filter, question.oneOf, question.within);
  const { rows } = await transaction.query<Row>(
    `select call_key as "callKey", (floor(extract(epoch from began_at) / ${bucketSeconds}) * ${bucketSeconds})::float8 as at,
       ${problemBits(conditions)} as problems, to_json(search_keys) as keys, to_json(addresses) as addresses
     from calls ${conditions.where}`,
    conditions.values,
  );
  const places = await placesOf(transaction, new Set(rows.flatMap(({ addresses }) => addresses)), sites);
  const facts = new FactNumbers();
  const calls = rows.map(({ callKey, at, problems, keys, addresses }): CountedCall => {
    const own = new Set([...keys.filter(isFact), ...addresses.flatMap((address) => places.get(address) ?? [])]);
    const numbers = [...own].map((key) => facts.of(key));
    const known = numbers.reduce((bits, number) => bits | facts.bitOf(number), 0);
    return { callKey, at, problems, known, facts: numbers, ...refusalIn(keys, problems, facts) };
  });
  return { keys: facts.keys, rows: calls };
}

/** Each address with its network and its site, as keys. */
export async function placesOf(
  transaction: Transaction,
  addresses: ReadonlySet<string>,
  sites: readonly SiteSubnet[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await transaction.query<{ address: string; names: readonly string[] }>(
    `with site_nets as materialized (select site, net from json_to_recordset($2::json) as sites(site text, net inet))
     select address, array_remove(array[
       'subnet:' || network(set_masklen(address::inet, case family(address::inet) when 4 then 24 else 64 end))::text,
       (select 'site:' || site from site_nets where address::inet <<= net order by masklen(net) desc limit 1)
     ], null) as names
     from unnest($1::text[]) as address`,
    [[...addresses], JSON.stringify(sites)],
  );
  return new Map(rows.map(({ address, names }) => [address, names]));
}

/** Numbers of keys, in the order in which they are found. */
export class FactNumbers {
  readonly keys: string[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly bits: number[] = [];

  of(key: string): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.keys.length);
    const dimension = dimensionNumber(key);
    this.bits.push(dimension < 0 ? 0 : 1 << dimension);
    return this.keys.push(key) - 1;
  }

  /** The bit of the dimension of the key with this number; 0 if it has none. */
  bitOf(number: number): number {
    return this.bits[number] ?? 0;
  }
}

function kindOf(key: string): string {
  return key.slice(0, key.indexOf(':'));
}

/** -1: it is of none. */
function dimensionNumber(key: string): number {
  return DIMENSION_OF_KIND.get(kindOf(key)) ?? -1;
}

function isFact(key: string): boolean {
  return dimensionNumber(key) >= 0 && !PLACES.includes(kindOf(key)) && !isHiddenForm(key);
}

/** Whether it is the key of a value, or of a place. */
export function isSuspectKey(key: string): boolean {
  return dimensionNumber(key) >= 0 && !isHiddenForm(key);
}

export function refusalIn(
  keys: readonly string[],
  problems: number,
  facts: FactNumbers,
): Pick<CountedCall, 'code' | 'refusedBy'> {
  if (!hasBit(problems, 'failed')) return { code: null, refusedBy: undefined };
  const valueOf = (kind: 'endCode' | 'refusedBy'): string | undefined => {
    const prefix = searchKey(kind, '');
    return keys.find((key) => key.startsWith(prefix) && !isHiddenForm(key))?.slice(prefix.length);
  };
  const [code, hop] = [valueOf('endCode'), valueOf('refusedBy')];
  return {
    code: code === undefined ? null : Number(code),
    refusedBy: hop === undefined ? undefined : facts.of(searchKey('hop', hop)),
  };
}

export function factOfKey(key: string): Fact<SuspectDimension> {
  const dimension = SUSPECT_DIMENSIONS[dimensionNumber(key)];
  if (dimension === undefined) throw new Error(`the key "${key}" has no dimension`);
  return { dimension, value: key.slice(key.indexOf(':') + 1) };
}
