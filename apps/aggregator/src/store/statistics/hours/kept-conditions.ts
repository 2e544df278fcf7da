import { CALL_FIELD_NAMES, filterRow } from '@ringdown/call-catalogue/fields';
import { Conditions, type CallFilter } from '../../../search/filter/call-filter.js';
import { searchKey } from '../../../search/keys/search-keys.js';
import type { Transaction } from '../../database/transaction.js';
import { isHiddenForm } from '../dimensions.js';

/** Values of these fields are nearly as many as calls: calls with one of them are few, and found by it. */
const OWN_OF_CALLS: readonly string[] = ['user', 'caller', 'callee', 'conversation', 'conference', 'correlation'];
/** Kinds of the keys that are kept of a call. */
const KEPT_KINDS: ReadonlySet<string> = new Set(
  CALL_FIELD_NAMES.map((name) => filterRow(name).kind).filter((kind) => !OWN_OF_CALLS.includes(kind)),
);

/** Whether the key is among those that are kept of each call. */
export function isKeptKey(key: string): boolean {
  return KEPT_KINDS.has(key.slice(0, key.indexOf(':'))) && !isHiddenForm(key);
}

/** The key of a front end that has posted records of the call: what loads are divided by. */
export function feedKey(frontEnd: string): string {
  return `feed:${frontEnd}`;
}

/** The site of an address of a call, as it is kept. */
export function siteKey(site: string): string {
  return `site:${site}`;
}

/** What a filter asks of the keys of kept calls: one of each list, and none of the others. */
interface KeyConditions {
  readonly lists: readonly (readonly string[])[];
  readonly without: readonly string[];
}

/** Undefined if the filter asks for what is not kept. Times are no part of it. */
function keyConditions({
  searchKeys = [],
  withoutSearchKeys = [],
  site,
  subnet,
  address,
}: CallFilter): KeyConditions | undefined {
  if (subnet !== undefined || address !== undefined) return undefined;
  // A site is found by subnets of its addresses, too; of kept calls its name is known.
  const lists = site === undefined ? searchKeys : searchKeys.filter((keys) => !keys.every(isSubnetKey));
  const all = site === undefined ? lists : [...lists, [siteKey(site)]];
  const isKept = [...lists.flat(), ...withoutSearchKeys].every(isKeptKey);
  return isKept ? { lists: all, without: withoutSearchKeys } : undefined;
}

function isSubnetKey(key: string): boolean {
  return key.startsWith(searchKey('subnet', ''));
}

/** Whether kept calls have all that the filter asks for. Those of uploads are not kept. */
export function isOfKeptCalls(filter: CallFilter): boolean {
  if (filter.uploads !== 'exclude' || (filter.words ?? []).length > 0) return false;
  if (filter.places !== undefined && filter.site === undefined) return false;
  return keyConditions(filter) !== undefined;
}

/** Makes the conditions of the filter for kept calls, each time new ones. */
export async function keptConditions(transaction: Transaction, filter: CallFilter): Promise<() => Conditions> {
  const { states, verdicts, withoutStates, withoutVerdicts, from, to, callKey, ranges } = filter;
  const { lists, without } = keyConditions(filter) ?? { lists: [], without: [] };
  const ids = await factIds(transaction, [...lists.flat(), ...without]);
  const patterns = (keys: readonly string[]): readonly string[] => keys.flatMap((key) => patternOf(ids.get(key)));
  return () => {
    const conditions = new Conditions({ states, verdicts, withoutStates, withoutVerdicts, from, to, callKey, ranges });
    for (const keys of lists) conditions.always(hasFact(patterns(keys), conditions));
    if (without.length > 0) conditions.always(`not ${hasFact(patterns(without), conditions)}`);
    return conditions;
  };
}

async function factIds(transaction: Transaction, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const { rows } = await transaction.query<{ id: number; key: string }>(
    'select id, key from call_facts where key = any($1::text[])',
    [keys],
  );
  return new Map(rows.map(({ id, key }) => [key, id]));
}

function patternOf(id: number | undefined): readonly string[] {
  return id === undefined ? [] : [`,${id},`];
}

function hasFact(patterns: readonly string[], conditions: Conditions): string {
  const terms = patterns.map((pattern) => `strpos(facts, ${conditions.placeholder(pattern)}) > 0`);
  return terms.length === 0 ? 'false' : `(${terms.join(' or ')})`;
}
