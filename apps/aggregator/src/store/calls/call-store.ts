import { setImmediate as turn } from 'node:timers/promises';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { ReadRecord } from '@ringdown/contracts/records';
import type { Position, ReadBatch } from '@ringdown/feed-bus';
import { changesCall } from '../../calls/life/admission.js';
import { callKey } from '../../calls/call-keys.js';
import { IN_PROGRESS, type Call } from '../../calls/call.js';
import { feedRecord, type FeedRecord } from '../../calls/feed-record.js';
import type { Fold } from '../../calls/fold.js';
import type { Database } from '../database/database.js';
import { foldCalls, type FoldedChunk, type FoldedNow, type FoldOptions, type Incoming } from './fold-calls.js';
import { callsToExtend } from './known-calls.js';
import { countCollectors } from '../feed/collector-progress.js';
import { countFrontEnds, type Counted } from '../feed/front-end-rows.js';
import { countImpossibleValues } from '../../calls/streams/impossible-values.js';
import { noteSeed } from './identity-seed.js';
import { movePosition, partitionPositions } from '../feed/positions.js';
import { processed } from './processed-calls.js';
import { callRow, insertRecords, upsertCalls, type CallRow } from './rows.js';
import type { Transaction } from '../database/transaction.js';

export interface Committed {
  /** In their new state. */
  readonly calls: readonly Call[];
  /** Those that are over now and were in progress, or not known, before. */
  readonly completed: readonly Call[];
  readonly added: number;
  /** Copies that front ends have sent. */
  readonly duplicates: number;
  /** Copies of records that were read before reading started over. */
  readonly reread: number;
  /** Metrics of the added records whose value cannot be. */
  readonly impossibleValues: number;
  /** Records that their call has no room for. */
  readonly refused: readonly ReadRecord[];
}

/** Thrown on purpose at the end of a dry run, to roll the transaction back. */
class DryRunDone extends Error {}

/** Calls that are read, folded and written at a time; limits the memory that a long backlog needs. */
const CALLS_AT_ONCE = 250;

export interface CallStoreOptions extends FoldOptions {
  readonly database: Database;
  /** For the tokens by which calls can also be found. */
  readonly hiding?: IdentityHiding | undefined;
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
      await countCollectors(transaction, batch);
      const committed = await this.foldInto(transaction, batch.partition, records, batch.rereadUntil);
      await before(committed);
      return committed;
    });
  }

  /**
   * Does everything that {@link commit} does with these records and rolls it back: rejects when they cannot be stored.
   */
  async dryRun(partition: number, records: readonly ReadRecord[]): Promise<void> {
    const work = this.database.write(async (transaction) => {
      await this.foldInto(transaction, partition, records);
      throw new DryRunDone();
    });
    await work.catch((error: unknown) => {
      if (!(error instanceof DryRunDone)) throw error;
    });
  }

  private async foldInto(
    transaction: Transaction,
    partition: number,
    records: readonly ReadRecord[],
    rereadUntil = -Infinity,
  ): Promise<Committed> {
    const incoming = new Map(records.map((published) => [feedRecord(published), published]));
    const byCall = Map.groupBy(incoming.keys(), ({ record }) => callKey(record.connection.callId));
    const calls: Call[] = [];
    const completed: Call[] = [];
    const refused: ReadRecord[] = [];
    const counted: Counted = { kept: new Set(incoming.keys()), added: new Set(), late: new Set() };
    const { kept, added, late } = counted;
    for await (const chunk of this.foldedAndWritten(transaction, byCall, incoming)) {
      for (const each of chunk.folds) {
        if (each.added.length > 0) calls.push(each.call);
        if (completes(each)) completed.push(each.call);
        for (const record of each.added) added.add(record);
        for (const record of lateOnes(each)) late.add(record);
      }
      for (const record of chunk.refused) {
        refused.push(...[incoming.get(record) ?? []].flat());
        kept.delete(record);
      }
    }
    const reread = [...kept].filter((record) => {
      return !added.has(record) && (incoming.get(record)?.storedAt ?? Infinity) <= rereadUntil;
    });
    for (const record of reread) kept.delete(record);
    await countFrontEnds(transaction, partition, counted);
    const duplicates = kept.size - added.size;
    const impossibleValues = countImpossibleValues(added);
    return { calls, completed, added: added.size, duplicates, reread: reread.length, impossibleValues, refused };
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
    const { limitMs, hiding } = this.options;
    const records = handledLater(
      insertRecords(
        transaction,
        folds.flatMap(({ recordRows }) => recordRows),
      ),
    );
    // The database inserts the records while the rows of the calls are prepared.
    await turn();
    const rows = await processed(limitMs, folds, keyOfFold, (each): CallRow => callRow(each, hiding));
    await upsertCalls(transaction, rows);
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

function completes({ call, storedOn, waited }: FoldedNow): boolean {
  return !IN_PROGRESS.includes(call.state) && (waited || storedOn === undefined);
}

/** The new records that arrived after the call was considered complete. */
function lateOnes({ added, call: { settlesAt } }: Fold): readonly FeedRecord[] {
  return settlesAt === null ? [] : added.filter(({ receivedAt }) => receivedAt > Date.parse(settlesAt));
}
