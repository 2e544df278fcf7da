import { setImmediate as turn } from 'node:timers/promises';
import type { ReadRecord } from '@ringdown/contracts/records';
import type { Position, ReadBatch } from '@ringdown/feed-bus';
import { changesCall } from '../../calls/life/admission.js';
import { callKey } from '../../calls/call-keys.js';
import type { FeedRecord } from '../../calls/feed-record.js';
import type { Database } from '../database/database.js';
import { foldCalls, type FoldedChunk, type FoldedNow, type FoldOptions } from './fold-calls.js';
import { callsToExtend } from './known-calls.js';
import { countCollectors } from '../feed/collector-progress.js';
import { countFrontEnds } from '../feed/front-end-rows.js';
import { BatchTally, type Committed } from './batch-tally.js';
import { noteSeed } from './identity-seed.js';
import {
  movePosition,
  movePositions,
  partitionPositions,
  positionMoved,
  type PositionMoved,
} from '../feed/positions.js';
import { insertRecords } from './record-rows.js';
import type { Incoming } from './record-storage.js';
import { upsertCalls } from './rows.js';
import type { Transaction } from '../database/transaction.js';

export type { Committed };

/** A batch as it is stored. */
export interface BatchToStore {
  readonly batch: ReadBatch;
  /** Those of its records that can become part of a call. */
  readonly records: readonly ReadRecord[];
  /** What must have happened before that is stored. */
  before(this: void, committed: Committed): Promise<void>;
}

/** Thrown on purpose at the end of a dry run, to roll the transaction back. */
class DryRunDone extends Error {}

/** Calls that are read, folded and written at a time; limits the memory that a long backlog needs. */
const CALLS_AT_ONCE = 250;

export interface CallStoreOptions extends FoldOptions {
  readonly database: Database;
}

/**
 * Writes the calls that result from records. One batch is one transaction, which includes the position that the batch
 * reaches.
 */
export class CallStore {
  private readonly database: Database;

  constructor(private readonly options: CallStoreOptions) {
    this.database = options.database;
  }

  /** To be called when the tables exist. */
  async prepare(): Promise<void> {
    const { hiding } = this.options;
    if (hiding !== undefined) await noteSeed(this.database, hiding);
  }

  /** The positions up to which partitions have been read. */
  positions(): Promise<ReadonlyMap<number, Position>> {
    return partitionPositions(this.database);
  }

  /**
   * Folds `records` into their calls and moves the partition's position, both or neither. `before`: what must have
   * happened before that is stored. Rejects with {@link PositionMoved} when the position is not where the batch begins,
   * and with {@link CallsNotProcessed}.
   */
  commit(
    batch: ReadBatch,
    records: readonly ReadRecord[] = batch.records,
    before: (committed: Committed) => Promise<void> = () => Promise.resolve(),
  ): Promise<Committed> {
    return this.database.write(async (transaction) => {
      await movePosition(transaction, batch);
      await countCollectors(transaction, [batch]);
      const tally = new BatchTally({ ...batch, records });
      await this.foldInto(transaction, [tally]);
      const { committed } = tally;
      await before(committed);
      return committed;
    });
  }

  /**
   * As {@link commit} for batches of several partitions in one transaction: all or none. {@link PositionMoved} is in place of the
   * result of a batch that begins elsewhere, and undefined in that of one whose position is held by another transaction:
   * nothing of these is stored.
   */
  commitAll(batches: readonly BatchToStore[]): Promise<readonly (Committed | PositionMoved | undefined)[]> {
    return this.database.write(async (transaction) => {
      const found = await movePositions(
        transaction,
        batches.map(({ batch }) => batch),
      );
      const moved = batches.filter(({ batch }) => found.get(batch.partition) === 'moved');
      await countCollectors(
        transaction,
        moved.map(({ batch }) => batch),
      );
      const tallies = new Map(moved.map((each) => [each, new BatchTally({ ...each.batch, records: each.records })]));
      await this.foldInto(transaction, [...tallies.values()]);
      for (const [{ before }, { committed }] of tallies) await before(committed);
      return batches.map((each) => {
        return found.get(each.batch.partition) === 'elsewhere'
          ? positionMoved(each.batch)
          : tallies.get(each)?.committed;
      });
    });
  }

  /**
   * Does everything that {@link commit} does with these records and rolls it back: rejects when they cannot be stored.
   */
  async dryRun(partition: number, records: readonly ReadRecord[]): Promise<void> {
    const work = this.database.write(async (transaction) => {
      await this.foldInto(transaction, [new BatchTally({ partition, records })]);
      throw new DryRunDone();
    });
    await work.catch((error: unknown) => {
      if (!(error instanceof DryRunDone)) throw error;
    });
  }

  /** The calls of a batch are in no other one. */
  private async foldInto(transaction: Transaction, tallies: readonly BatchTally[]): Promise<void> {
    const incoming = new Map(tallies.flatMap((tally) => [...tally.incoming]));
    const byCall = Map.groupBy(incoming.keys(), ({ record }) => callKey(record.connection.callId));
    const tallyOf = new Map(tallies.flatMap((tally) => tally.callKeys.map((key) => [key, tally])));
    for await (const chunk of this.foldedAndWritten(transaction, byCall, incoming)) {
      for (const each of chunk.folds) tallyOf.get(keyOfFold(each))?.fold(each);
      for (const record of chunk.refused) tallyOf.get(callKey(record.record.connection.callId))?.refuse(record);
    }
    for (const tally of tallies) tally.end();
    await countFrontEnds(transaction, tallies);
  }

  /**
   * Processes some calls at a time. The database looks up the next ones and writes the previous ones while these are
   * folded: otherwise the database and this process would wait for each other.
   */
  private async *foldedAndWritten(
    transaction: Transaction,
    byCall: ReadonlyMap<string, readonly FeedRecord[]>,
    incoming: Incoming,
  ): AsyncGenerator<FoldedChunk> {
    const keys = [...byCall.keys()];
    const read = (at: number): ReturnType<typeof callsToExtend> =>
      handledLater(callsToExtend(transaction, keys.slice(at, at + CALLS_AT_ONCE)));
    let reading = read(0);
    let writing: Promise<unknown> = Promise.resolve();
    for (let at = 0; at < keys.length; at += CALLS_AT_ONCE) {
      const known = await reading;
      reading = read(at + CALLS_AT_ONCE);
      const some = keys.slice(at, at + CALLS_AT_ONCE).map((key) => ({ key, records: byCall.get(key) ?? [] }));
      const chunk = await foldCalls(this.options, transaction, some, known, incoming);
      await writing;
      writing = handledLater(this.write(transaction, chunk.folds.filter(changesCall)));
      yield chunk;
    }
    await writing;
  }

  private async write(transaction: Transaction, folds: readonly FoldedNow[]): Promise<void> {
    const records = handledLater(
      insertRecords(
        transaction,
        folds.flatMap(({ recordRows }) => recordRows),
      ),
    );
    // The database inserts the records while the statement of the calls is prepared.
    await turn();
    await upsertCalls(
      transaction,
      folds.flatMap(({ call, packed, row }) => (row === undefined ? [] : [{ call, packed, row }])),
    );
    await records;
  }
}

/**
 * The failure is handled where the promise is awaited; until then it must not end the process as an unhandled
 * rejection.
 */
function handledLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

function keyOfFold({ call }: FoldedNow): string {
  return callKey(call.callId);
}
