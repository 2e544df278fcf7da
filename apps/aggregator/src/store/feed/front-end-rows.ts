import { frontEndKey } from '../../calls/call-keys.js';
import type { Call } from '../../calls/call.js';
import type { FeedRecord } from '../../calls/feed-record.js';
import { isoTime } from '../../calls/streams/report-source.js';
import { activitySlotStart } from './front-end-activity.js';
import { jsonChunks } from '../database/json-rows.js';
import { prepared, type Transaction } from '../database/transaction.js';

/** The records of a batch. */
export interface Counted {
  /** All that became part of a call or were copies. */
  readonly kept: Set<FeedRecord>;
  /** Of these, those that were not stored before. */
  readonly added: Set<FeedRecord>;
  /** Of these, those that arrived after their call was considered complete. */
  readonly late: Set<FeedRecord>;
}

const NEW_COUNTS = `
  select partition, name_key, name, slot, first_at, last_at, records, duplicates, late, expired
  from json_to_recordset($1::json) as new (
    partition integer, name_key text, name text, slot timestamptz, first_at timestamptz, last_at timestamptz,
    records bigint, duplicates bigint, late bigint, expired bigint
  )`;

const COUNT_ACTIVITY = `
  insert into front_end_activity as known
    (partition, name_key, slot, first_at, last_at, records, duplicates, late, expired)
  select partition, name_key, slot, first_at, last_at, records, duplicates, late, expired from new
  on conflict (partition, name_key, slot) do update set
    first_at = least(known.first_at, excluded.first_at),
    last_at = greatest(known.last_at, excluded.last_at),
    records = known.records + excluded.records,
    duplicates = known.duplicates + excluded.duplicates,
    late = known.late + excluded.late,
    expired = known.expired + excluded.expired`;

const COUNT_FRONT_ENDS = `
  with new as (${NEW_COUNTS}), active as (${COUNT_ACTIVITY})
  insert into front_ends as known (partition, name_key, name, first_seen, last_seen, records, duplicates, late)
  select partition, name_key, (array_agg(name order by first_at))[1], min(first_at), max(last_at), sum(records),
    sum(duplicates), sum(late)
  from new group by partition, name_key
  on conflict (partition, name_key) do update set
    first_seen = least(known.first_seen, excluded.first_seen),
    last_seen = greatest(known.last_seen, excluded.last_seen),
    records = known.records + excluded.records,
    duplicates = known.duplicates + excluded.duplicates,
    late = known.late + excluded.late`;

/** This does not restore a front end that has been removed. */
const COUNT_EXPIRED = `
  with new as (${NEW_COUNTS}), active as (${COUNT_ACTIVITY})
  update front_ends set expired = front_ends.expired + new.expired from new
  where front_ends.partition = new.partition and front_ends.name_key = new.name_key`;

export async function countFrontEnds(
  transaction: Transaction,
  batches: readonly { readonly partition: number; readonly counted: Counted }[],
): Promise<void> {
  for (const rows of jsonChunks(batches.flatMap(({ partition, counted }) => frontEndCountRows(partition, counted)))) {
    await transaction.query(prepared(transaction, COUNT_FRONT_ENDS, [rows]));
  }
}

/** `now`: our clock, when they expired. */
export async function countExpired(
  transaction: Transaction,
  partition: number,
  calls: readonly Call[],
  now: number,
): Promise<void> {
  const counts = new Map<string, number>();
  for (const key of calls.flatMap(({ feeds }) => feeds.map(frontEndKey))) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const slot = isoTime(activitySlotStart(now));
  const rows = [...counts].map(([key, expired]) => {
    return { partition, name_key: key, name: key, slot, records: 0, duplicates: 0, late: 0, expired };
  });
  for (const chunk of jsonChunks(rows)) await transaction.query(COUNT_EXPIRED, [chunk]);
}

interface Count {
  readonly key: string;
  readonly name: string;
  readonly slot: number;
  firstAt: number;
  lastAt: number;
  records: number;
  duplicates: number;
  late: number;
}

/** One row per feed and slot. */
function frontEndCountRows(partition: number, { kept, added, late }: Counted): readonly unknown[] {
  const counts = new Map<string, Count>();
  for (const record of kept) {
    const { receivedAt, feed: name } = record;
    const slot = activitySlotStart(receivedAt);
    // Older collectors do not send the address of the sender.
    if (name === '') continue;
    const key = frontEndKey(name);
    const place = `${slot} ${key}`;
    const none = { key, name, slot, firstAt: receivedAt, lastAt: receivedAt, records: 0, duplicates: 0, late: 0 };
    const count = counts.get(place) ?? none;
    count.firstAt = Math.min(count.firstAt, receivedAt);
    count.lastAt = Math.max(count.lastAt, receivedAt);
    if (added.has(record)) count.records++;
    else count.duplicates++;
    if (late.has(record)) count.late++;
    counts.set(place, count);
  }
  return [...counts.values()].map(({ key, name, slot, firstAt, lastAt, ...numbers }) => ({
    partition,
    name_key: key,
    name,
    slot: isoTime(slot),
    first_at: isoTime(firstAt),
    last_at: isoTime(lastAt),
    ...numbers,
    expired: 0,
  }));
}
