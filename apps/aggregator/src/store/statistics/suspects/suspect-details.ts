import type { Problem } from '@ringdown/quality/suspects';
import { searchKey, type SearchKind } from '../../../search/keys/search-keys.js';
import type { CallFilter } from '../../../search/filter/call-filter.js';
import { Conditions } from '../../../search/filter/call-filter.js';
import type { Transaction } from '../../database/transaction.js';

/** What is read of single calls, by call. */
export type DetailsOfCalls = ReadonlyMap<string, readonly string[]>;

/** The keys that say what was wrong with a call, and who was on it. */
const CAUSE_KINDS: Readonly<Record<Problem, SearchKind>> = { bad: 'cause', failed: 'endCode', noAudio: 'audio' };
const DETAIL_KINDS: readonly SearchKind[] = [...Object.values(CAUSE_KINDS), 'user'];

/** The filter is that by which the calls were found: without its times, all weeks would be searched. */
export async function readDetails(
  transaction: Transaction,
  { from, to }: CallFilter,
  callKeys: readonly string[],
): Promise<DetailsOfCalls> {
  const conditions = new Conditions({ from, to });
  conditions.add(callKeys, (keys) => `call_key = any(${keys}::text[])`);
  const kinds = conditions.placeholder(DETAIL_KINDS);
  const { rows } = await transaction.query<{ callKey: string; keys: readonly string[] }>(
    `select call_key as "callKey",
       array(select key from unnest(search_keys) as key where split_part(key, ':', 1) = any(${kinds}::text[])) as keys
     from calls ${conditions.where}`,
    conditions.values,
  );
  return new Map(rows.map(({ callKey, keys }) => [callKey, keys]));
}

/** The causes of the problem in these keys. */
export function causesIn(keys: readonly string[], problem: Problem): readonly string[] {
  return valuesOf(keys, CAUSE_KINDS[problem]);
}

/** A person is there in each form of the address, which changes nothing in how often one is there. */
export function peopleIn(keys: readonly string[]): readonly string[] {
  return valuesOf(keys, 'user');
}

function valuesOf(keys: readonly string[], kind: SearchKind): readonly string[] {
  const prefix = searchKey(kind, '');
  return keys.flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : []));
}
