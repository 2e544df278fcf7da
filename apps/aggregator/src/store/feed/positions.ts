import type { Position, ReadBatch } from '@ringdown/feed-bus';
import type { Database } from '../database/database.js';
import { prepared, type Transaction } from '../database/transaction.js';

/**
 * Another aggregator has stored this batch, or an earlier one: nothing was changed, reading continues at the stored
 * position.
 */
export class PositionMoved extends Error {
  override readonly name = 'PositionMoved';
}

/** From where to where a batch moves the position of its partition. */
type BatchPositions = Pick<ReadBatch, 'partition' | 'partitions' | 'before' | 'after'>;

const COLUMNS = `epoch, sequence, digest, (extract(epoch from stored_at) * 1000)::float8 as stored_ms,
  (extract(epoch from reread_until) * 1000)::float8 as reread_ms`;

interface Row {
  readonly partition: number;
  readonly epoch: string;
  readonly sequence: string;
  readonly digest: string | null;
  readonly stored_ms: number | null;
  readonly reread_ms: number | null;
}

/** The positions up to which partitions of the feed have been read, for every partition that was read. */
export async function partitionPositions(database: Database): Promise<ReadonlyMap<number, Position>> {
  const { rows } = await database.read((transaction) =>
    transaction.query<Row>(`select partition, ${COLUMNS} from partition_positions`),
  );
  return new Map(rows.map((row) => [row.partition, positionFromRow(row)]));
}

function positionFromRow({ epoch, sequence, digest: text, stored_ms, reread_ms }: Row): Position {
  const [digestOf, digest] = text?.split(' ') ?? [];
  // An older program, running beside this one during an upgrade, moves the sequence and keeps the other columns.
  const hasMark = digest !== undefined && digestOf === sequence && stored_ms !== null;
  return {
    epoch,
    sequence: Number(sequence),
    ...(hasMark ? { message: { digest, storedAt: Math.round(stored_ms) } } : {}),
    ...(reread_ms === null ? {} : { rereadUntil: Math.round(reread_ms) }),
  };
}

/**
 * False for a reader that has not noticed that the feed was divided into more partitions ({@link FeedPartitions}). An aggregator from
 * before sealed calls fails here and stores nothing: it knows the table under another name (ADR 0118).
 */
const DIVIDED_INTO = (partitions: string): string =>
  `${partitions}::integer = (select partitions from feed_partitioning)`;

const MOVE_POSITION = `
  update partition_positions
  set epoch = $2, sequence = $3, digest = $4, stored_at = to_timestamp($5::float8 / 1000),
    reread_until = to_timestamp($6::float8 / 1000)
  where partition = $1 and epoch = $8 and sequence = $9
    and (digest is not distinct from $10 or $10 is null) and ${DIVIDED_INTO('$7')}`;
const FIRST_POSITION = `
  insert into partition_positions (partition, epoch, sequence, digest, stored_at, reread_until)
  select $1, $2, $3, $4, to_timestamp($5::float8 / 1000), to_timestamp($6::float8 / 1000)
  where ${DIVIDED_INTO('$7')} and $1::integer < $7::integer
  on conflict (partition) do nothing`;

/**
 * This comes first, because it locks the partition's row: another aggregator waits here and then finds that the
 * position has moved. The whole position is compared, because a stream that has lost messages assigns their sequences
 * to other messages. Rejects with {@link PositionMoved}.
 */
export async function movePosition(transaction: Transaction, batch: BatchPositions): Promise<void> {
  const { before } = batch;
  const next = nextPosition(batch);
  const { rowCount } =
    before === undefined
      ? await transaction.query(FIRST_POSITION, next)
      : await transaction.query(prepared(transaction, MOVE_POSITION, [...next, ...positionIdentity(before)]));
  if (rowCount !== 1) throw positionMoved(batch);
}

export function positionMoved({ partition, partitions, before }: BatchPositions): PositionMoved {
  return new PositionMoved(
    `partition ${partition} of ${partitions} is no longer at ${before?.sequence ?? 'its start'}`,
  );
}

/** The values of {@link nextPosition} and those of the position before. */
const COLUMNS_OF_MOVE = [
  ['partition', 'integer'],
  ['epoch', 'text'],
  ['sequence', 'bigint'],
  ['digest', 'text'],
  ['stored_ms', 'float8'],
  ['reread_ms', 'float8'],
  ['partitions', 'integer'],
  ['old_epoch', 'text'],
  ['old_sequence', 'bigint'],
  ['old_digest', 'text'],
] as const;

/**
 * Positions that another transaction holds are left out. A row that was changed since this statement began is compared again
 * by PostgreSQL, in its newest version ("Read Committed Isolation Level" of its manual).
 */
const MOVE_POSITIONS = `
  with held as (
    select partition from partition_positions where partition = any($1::integer[]) for update skip locked
  ), moved as (
    update partition_positions as known
    set epoch = new.epoch, sequence = new.sequence, digest = new.digest,
      stored_at = to_timestamp(new.stored_ms / 1000), reread_until = to_timestamp(new.reread_ms / 1000)
    from unnest(${COLUMNS_OF_MOVE.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')})
      as new (${COLUMNS_OF_MOVE.map(([name]) => name).join(', ')})
      join held using (partition)
    where known.partition = new.partition and known.epoch = new.old_epoch and known.sequence = new.old_sequence
      and (known.digest is not distinct from new.old_digest or new.old_digest is null)
      and ${DIVIDED_INTO('new.partitions')}
    returning known.partition
  )
  select held.partition, moved.partition is not null as is_moved from held left join moved using (partition)`;

/**
 * As {@link movePosition} for several partitions, all of which have a position; waits for no other transaction. By partition, whether its position was
 * moved or is elsewhere; those that another transaction holds are omitted.
 */
export async function movePositions(
  transaction: Transaction,
  batches: readonly BatchPositions[],
): Promise<ReadonlyMap<number, 'moved' | 'elsewhere'>> {
  const batchRows = batches.flatMap(({ before, ...next }) => {
    return before === undefined ? [] : [[...nextPosition(next), ...positionIdentity(before)]];
  });
  const columns = COLUMNS_OF_MOVE.map((_, column) => batchRows.map((row) => row[column]));
  const { rows } = await transaction.query<{ partition: number; is_moved: boolean }>(
    prepared(transaction, MOVE_POSITIONS, columns),
  );
  return new Map(rows.map(({ partition, is_moved: isMoved }) => [partition, isMoved ? 'moved' : 'elsewhere']));
}

/** A partition, of so many, that has been read up to a position. */
export interface PartitionAt {
  readonly partition: number;
  readonly partitions: number;
  readonly position: Position;
}

/** Returns whether the partition is still at that position, and prevents changes to it until the transaction ends. */
export async function lockAt(
  transaction: Transaction,
  { partition, partitions, position }: PartitionAt,
): Promise<boolean> {
  const { rowCount } = await transaction.query(
    `select 1 from partition_positions
     where partition = $1 and epoch = $2 and sequence = $3 and (digest is not distinct from $4 or $4 is null)
       and ${DIVIDED_INTO('$5')}
     for update`,
    [partition, ...positionIdentity(position), partitions],
  );
  return rowCount === 1;
}

/** The first seven values of the statements that move a position. */
function nextPosition({ partition, partitions, after }: Omit<BatchPositions, 'before'>): unknown[] {
  const { message, rereadUntil } = after;
  return [partition, ...positionIdentity(after), message?.storedAt ?? null, rereadUntil ?? null, partitions];
}

function positionIdentity({ epoch, sequence, message }: Position): readonly unknown[] {
  return [epoch, sequence, message === undefined ? null : `${sequence} ${message.digest}`];
}
