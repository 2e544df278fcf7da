import { frontEndKey } from '../calls/call-keys.js';
import type { FeedRecord } from '../calls/feed-record.js';
import { isoTime } from '../calls/report-source.js';

export const COUNT_FRONT_ENDS = `
  insert into front_ends (partition, name_key, name, first_seen, last_seen, records, duplicates)
  select $2, name_key, name, first_seen, last_seen, records, duplicates
  from json_to_recordset($1::json) as new (
    name_key text, name text, first_seen timestamptz, last_seen timestamptz, records bigint, duplicates bigint
  )
  on conflict (partition, name_key) do update set
    first_seen = least(front_ends.first_seen, excluded.first_seen),
    last_seen = greatest(front_ends.last_seen, excluded.last_seen),
    records = front_ends.records + excluded.records,
    duplicates = front_ends.duplicates + excluded.duplicates`;

interface FrontEndCount {
  readonly name: string;
  firstSeen: number;
  lastSeen: number;
  records: number;
  duplicates: number;
}

/** One row a front end, from all records of a batch; `added` are those that were not there before. */
export function frontEndRows(records: Iterable<FeedRecord>, added: ReadonlySet<FeedRecord>): readonly unknown[] {
  const counts = new Map<string, FrontEndCount>();
  for (const record of records) {
    const { receivedAt } = record;
    for (const name of record.record.connection.frontEnds) {
      const none = { name, firstSeen: receivedAt, lastSeen: receivedAt, records: 0, duplicates: 0 };
      const count = counts.get(frontEndKey(name)) ?? none;
      count.firstSeen = Math.min(count.firstSeen, receivedAt);
      count.lastSeen = Math.max(count.lastSeen, receivedAt);
      if (added.has(record)) count.records++;
      else count.duplicates++;
      counts.set(frontEndKey(name), count);
    }
  }
  return [...counts].map(([key, { name, firstSeen, lastSeen, records: count, duplicates }]) => ({
    name_key: key,
    name,
    first_seen: isoTime(firstSeen),
    last_seen: isoTime(lastSeen),
    records: count,
    duplicates,
  }));
}
