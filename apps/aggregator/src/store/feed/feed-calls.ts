import type { EventKind } from '@ringdown/answers/records';
import { searchKey } from '../../search/keys/search-keys.js';
import type { Transaction } from '../database/transaction.js';

/** Enough to see what a feed sends, and few enough to be read each time. */
const NEWEST_CALLS = 200;

/** What the newest calls of a feed tell about it. */
export interface FeedCalls {
  readonly calls: number;
  /** The median of what has to be added to the times of its records; null if no call tells. */
  readonly clockSkewSeconds: number | null;
  /** Records with each kind of event; the most frequent first. */
  readonly kinds: readonly { readonly kind: EventKind; readonly records: number }[];
}

interface Row extends Omit<FeedCalls, 'clockSkewSeconds'> {
  readonly clock_skew_seconds: number | null;
}

/** `nameKey`: see `frontEndKey`. Records of other feeds on the same calls are not counted, as far as they name a front end. */
export async function feedCalls(transaction: Transaction, nameKey: string): Promise<FeedCalls> {
  const { rows } = await transaction.query<Row>(
    `with newest as (
       select call_key, stored_on, call from calls where search_keys && array[$1::text] and front_ends && array[$2::text]
       order by began_at desc, call_key desc limit ${NEWEST_CALLS}
     ), skews as (
       select (clock ->> 'skewSeconds')::float8 as seconds from newest, json_array_elements(call -> 'clocks') as clock
       where clock ->> 'clock' = 'frontEnd' and lower(clock ->> 'name') = $2
     ), kinds as (
       select kind, count(*)::integer as records
       from newest join records using (call_key, stored_on) cross join unnest(kinds) as kind
       where records.front_ends = '{}' or exists (select 1 from unnest(records.front_ends) as name where lower(name) = $2)
       group by kind
     )
     select (select count(*)::integer from newest) as calls,
       (select percentile_cont(0.5) within group (order by seconds) from skews) as clock_skew_seconds,
       coalesce((select jsonb_agg(jsonb_build_object('kind', kind, 'records', records) order by records desc, kind) from kinds), '[]') as kinds`,
    [searchKey('frontEnd', nameKey), nameKey],
  );
  const { calls = 0, clock_skew_seconds: clockSkewSeconds = null, kinds = [] } = rows[0] ?? {};
  return { calls, clockSkewSeconds, kinds };
}
