import type { EventKind } from '@ringdown/answers/records';
import type { Call } from '../../calls/call.js';
import { frontEndKey } from '../../calls/call-keys.js';
import { median } from '../../calls/clocks/clock-alignment.js';
import { searchKey } from '../../search/keys/search-keys.js';
import { storedCall } from '../records/stored-call.js';
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
  /** Null when it is sealed with its records. */
  readonly call: Call | null;
  readonly packed_records: Buffer | null;
  /** Of its records that are not packed. */
  readonly kinds: readonly (readonly EventKind[])[] | null;
}

/** `nameKey`: see `frontEndKey`. Records of other feeds on the same calls are not counted, as far as they name a front end. */
export async function feedCalls(transaction: Transaction, nameKey: string): Promise<FeedCalls> {
  const { rows } = await transaction.query<Row>(
    `select call, packed_records, case when record_rows then (
         select jsonb_agg(kinds) from records
         where records.call_key = newest.call_key and records.stored_on = newest.stored_on
           and (front_ends = '{}' or exists (select 1 from unnest(front_ends) as name where lower(name) = $2))
       ) end as kinds
     from (
       select call_key, stored_on, call, packed_records, record_rows from calls
       where search_keys && array[$1::text] and front_ends && array[$2::text]
       order by began_at desc, call_key desc limit ${NEWEST_CALLS}
     ) as newest`,
    [searchKey('frontEnd', nameKey), nameKey],
  );
  const counts = new Map<EventKind, number>();
  for (const kind of rows.flatMap((row) => recordKinds(row, nameKey))) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts].toSorted(([one, more], [other, fewer]) => fewer - more || (one < other ? -1 : 1));
  const skews = rows.flatMap(({ call, packed_records: sealed }) => clockSkews(storedCall({ call, sealed }), nameKey));
  return {
    calls: rows.length,
    clockSkewSeconds: skews.length === 0 ? null : median(skews),
    kinds: kinds.map(([kind, records]) => ({ kind, records })),
  };
}

/** Of its clock, in a call. */
function clockSkews({ clocks }: Call, nameKey: string): readonly number[] {
  return clocks
    .filter(({ clock, name }) => clock === 'frontEnd' && name !== null && frontEndKey(name) === nameKey)
    .map(({ skewSeconds }) => skewSeconds);
}

/** Of each record of the feed. */
function recordKinds({ packed_records: packed, kinds }: Row, nameKey: string): readonly EventKind[] {
  return [...(kinds ?? []).flat(), ...(packed === null ? [] : packedKinds(packed, nameKey))];
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
