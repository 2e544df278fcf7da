import { PARTITIONS } from '@ringdown/contracts/records';
import type { Logger } from '@ringdown/observability';
import type { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';

export interface FeedPartitionsOptions {
  readonly database: Database;
  /** FEED_PARTITIONS. */
  readonly wanted: number;
  readonly logger: Logger;
}

/**
 * Into how many partitions all replicas divide the feed. The number is kept in the database and only raised: each new
 * partition begins where the one that it is split from has been read to, in one transaction that no batch overlaps with
 * ({@link movePosition} compares the number), so that no record is skipped and none is stored by two (ADR 0060).
 */
export class FeedPartitions {
  private current: number = PARTITIONS;

  constructor(private readonly options: FeedPartitionsOptions) {}

  /** As last loaded: a batch that was read with an older number is not stored. */
  get count(): number {
    return this.current;
  }

  async load(): Promise<void> {
    this.current = await this.options.database.read(storedNumber);
  }

  /** Raises the number to that of the settings. To be called when the tables exist. */
  async prepare(): Promise<void> {
    const { database, wanted, logger } = this.options;
    const before = await database.write(async (transaction) => {
      const stored = await storedNumber(transaction);
      if (stored < wanted) await divide(transaction, wanted);
      return stored;
    });
    this.current = Math.max(before, wanted);
    if (before < wanted) logger.info({ before, now: wanted }, 'the feed is divided into more partitions');
    if (before > wanted)
      logger.warn({ wanted, now: before }, 'FEED_PARTITIONS is not applied: partitions are never made fewer');
  }
}

async function storedNumber(transaction: Transaction): Promise<number> {
  const { rows } = await transaction.query<{ partitions: number }>('select partitions from feed_partitioning');
  const [row] = rows;
  if (row === undefined) throw new Error('the database does not hold the number of partitions');
  return row.partitions;
}

/**
 * The numbers are powers of two: the calls of partition 11 of 16 were in partition 3 of 8. A database server that was promoted
 * without the last division may have rows of partitions beyond its number; they mean nothing.
 */
async function divide(transaction: Transaction, wanted: number): Promise<void> {
  // Waits for the batches that are being stored; later ones see the new number.
  await transaction.query('lock table partition_positions in exclusive mode');
  // Again under the lock: another replica may have done the same meanwhile.
  const count = await storedNumber(transaction);
  if (count >= wanted) return;
  await transaction.query(
    `insert into partition_positions (partition, epoch, sequence, digest, stored_at, reread_until)
     select more.partition, known.epoch, known.sequence, known.digest, known.stored_at, known.reread_until
     from generate_series($1::integer, $2::integer - 1) as more (partition)
       join partition_positions as known on known.partition = more.partition % $1
     on conflict (partition) do update set epoch = excluded.epoch, sequence = excluded.sequence, digest = excluded.digest,
       stored_at = excluded.stored_at, reread_until = excluded.reread_until`,
    [count, wanted],
  );
  await transaction.query('update feed_partitioning set partitions = $1', [wanted]);
}
