import { PARTITIONS, type AcceptedRecords } from '@ringdown/contracts/records';
import type { ReadBatch } from '@ringdown/feed-bus';
import type { Database } from '../database/database.js';
import { prepared, type Transaction } from '../database/transaction.js';

/** A message that is read once more, after reading has started over, has a number that was already passed. */
const COUNT_COLLECTORS = `
  insert into collector_progress as progress (partition, collector, number, records)
  select sent.partition, sent.collector, max(sent.number), sum(sent.records)
  from unnest($1::integer[], $2::text[], $3::bigint[], $4::bigint[]) as sent (partition, collector, number, records)
    left join collector_progress as known on known.partition = sent.partition and known.collector = sent.collector
  where sent.number > coalesce(known.number, 0) group by sent.partition, sent.collector
  on conflict (partition, collector) do update
    set number = excluded.number, records = progress.records + excluded.records, read_at = now()`;

/** Adds up how many records each collector has put into the messages of these batches. */
export async function countCollectors(
  transaction: Transaction,
  batches: readonly Pick<ReadBatch, 'partition' | 'sent'>[],
): Promise<void> {
  // Each message is read by all partitions of its subject: the first of them counts it.
  const rows = batches
    .filter(({ partition }) => partition < PARTITIONS)
    .flatMap(({ partition, sent }) => sent.map((message) => ({ partition, ...message })));
  if (rows.length === 0) return;
  const values = [
    rows.map(({ partition }) => partition),
    rows.map(({ collector }) => collector),
    rows.map(({ number }) => number),
    rows.map(({ records }) => records),
  ];
  await transaction.query(prepared(transaction, COUNT_COLLECTORS, values));
}

/**
 * Sorted, because replicas write the same rows at the same time. A collector that accepts nothing more is written once
 * an hour, so that {@link acceptedRecords} still includes it.
 */
const NOTE_ACCEPTED = `
  insert into collector_accepted as noted (partition, collector, records)
  select partition, collector, records
  from unnest($1::integer[], $2::text[], $3::bigint[]) as reported (partition, collector, records)
  where records > 0 order by partition, collector
  on conflict (partition, collector) do update
    set records = greatest(noted.records, excluded.records), reported_at = now()
    where noted.records < excluded.records or noted.reported_at < now() - interval '1 hour'`;

/** Stores what running collectors report. */
export async function storeAccepted(database: Database, reported: readonly AcceptedRecords[]): Promise<void> {
  const rows = reported.flatMap(({ collector, byPartition }) => {
    return byPartition.map((records, partition) => ({ partition, collector, records }));
  });
  if (rows.length === 0) return;
  const values = [
    rows.map(({ partition }) => partition),
    rows.map(({ collector }) => collector),
    rows.map(({ records }) => records),
  ];
  await database.write((transaction) => transaction.query(prepared(transaction, NOTE_ACCEPTED, values)));
}

export interface AcceptedInPartition {
  readonly partition: number;
  readonly collector: string;
  readonly records: number;
}

/** The counts of accepted records of collectors that ran within the last day. */
export async function acceptedRecords(database: Database): Promise<readonly AcceptedInPartition[]> {
  const { rows } = await database.read((transaction) =>
    transaction.query<{ partition: number; collector: string; records: string }>(
      `select partition, collector, records from collector_accepted where reported_at > now() - interval '1 day'`,
    ),
  );
  return rows.map(({ partition, collector, records }) => ({ partition, collector, records: Number(records) }));
}

/** The number of records read from each collector, by partition. */
export async function recordsRead(
  database: Database,
  collectors: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<number, number>>> {
  const { rows } = await database.read((transaction) =>
    transaction.query<{ partition: number; collector: string; records: string }>(
      'select partition, collector, records from collector_progress where collector = any($1)',
      [collectors],
    ),
  );
  const byCollector = Map.groupBy(rows, ({ collector }) => collector);
  return new Map(
    [...byCollector].map(([collector, of]) => {
      return [collector, new Map(of.map(({ partition, records }) => [partition, Number(records)]))];
    }),
  );
}
