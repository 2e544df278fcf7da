import type { EventKind } from '@ringdown/answers/records';
import { frontEndKey } from '../../calls/call-keys.js';
import { searchKey } from '../../search/keys/search-keys.js';
import { parsedContent, unpackRecords } from '../records/packed-records.js';
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

interface Row {
  readonly calls: number;
  readonly clock_skew_seconds: number | null;
  readonly packed: readonly Buffer[];
  /** Of records that are not packed. */
  readonly kinds: readonly { readonly kind: EventKind; readonly records: number }[];
}

/** `nameKey`: see `frontEndKey`. Records of other feeds on the same calls are not counted, as far as they name a front end. */
export async function feedCalls(transaction: Transaction, nameKey: string): Promise<FeedCalls> {
  const { rows } = await transaction.query<Row>(
    `with newest as (
       select call_key, stored_on, call, packed_records, record_rows from calls
       where search_keys && array[$1::text] and front_ends && array[$2::text]
       order by began_at desc, call_key desc limit ${NEWEST_CALLS}
     ), skews as (
       select (clock ->> 'skewSeconds')::float8 as seconds from newest, json_array_elements(call -> 'clocks') as clock
       where clock ->> 'clock' = 'frontEnd' and lower(clock ->> 'name') = $2
     ), kinds as (
       select kind, count(*)::integer as records
       from newest join records using (call_key, stored_on) cross join unnest(kinds) as kind
       where record_rows
         and (records.front_ends = '{}' or exists (select 1 from unnest(records.front_ends) as name where lower(name) = $2))
       group by kind
     )
     select (select count(*)::integer from newest) as calls,
       (select percentile_cont(0.5) within group (order by seconds) from skews) as clock_skew_seconds,
       array(select packed_records from newest where packed_records is not null) as packed,
       coalesce((select jsonb_agg(jsonb_build_object('kind', kind, 'records', records)) from kinds), '[]') as kinds`,
    [searchKey('frontEnd', nameKey), nameKey],
  );
  const { calls = 0, clock_skew_seconds: clockSkewSeconds = null, packed = [], kinds = [] } = rows[0] ?? {};
  const counts = new Map(kinds.map(({ kind, records }) => [kind, records]));
  for (const kind of packed.flatMap((each) => packedKinds(each, nameKey)))
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const sorted = [...counts].toSorted(([one, more], [other, fewer]) => fewer - more || (one < other ? -1 : 1));
  return { calls, clockSkewSeconds, kinds: sorted.map(([kind, records]) => ({ kind, records })) };
}

/** Each kind once for each record of the feed. */
function packedKinds(packed: Buffer, nameKey: string): readonly EventKind[] {
  return unpackRecords(packed).flatMap((record) => {
    const { connection, events } = parsedContent(record);
    const isOfFeed =
      connection.frontEnds.length === 0 || connection.frontEnds.some((name) => frontEndKey(name) === nameKey);
    return isOfFeed ? [...new Set(events.map(({ kind }) => kind))] : [];
  });
}
