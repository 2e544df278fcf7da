import type { ReadBatch } from '@ringdown/bus';
import type { Database } from './database.js';
import { prepared, type Transaction } from './transaction.js';

/** A message that is read once more, after the reading has started over, has a number that was passed already. */
const COUNT_COLLECTORS = `
  insert into collector_progress as progress (partition, collector, number, records)
  select $1, sent.collector, max(sent.number), sum(sent.records)
  from unnest($2::text[], $3::bigint[], $4::bigint[]) as sent (collector, number, records)
    left join collector_progress as known on known.partition = $1 and known.collector = sent.collector
  where sent.number > coalesce(known.number, 0) group by sent.collector
  on conflict (partition, collector) do update
    set number = excluded.number, records = progress.records + excluded.records, read_at = now()`;

/** Adds up what each collector has put into the messages of a batch. */
export async function countCollectors(
  transaction: Transaction,
  { partition, sent }: Pick<ReadBatch, 'partition' | 'sent'>,
): Promise<void> {
  if (sent.length === 0) return;
  const values = [
    partition,
    sent.map(({ collector }) => collector),
    sent.map(({ number }) => number),
    sent.map(({ records }) => records),
  ];
  await transaction.query(prepared(transaction, COUNT_COLLECTORS, values));
}

/** Records that were read of each collector, by partition. */
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
