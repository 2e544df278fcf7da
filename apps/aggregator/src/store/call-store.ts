import { setImmediate as turn } from 'node:timers/promises';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { Position, PublishedRecord, ReadBatch } from '@ringdown/bus';
import { callKey } from '../calls/call-keys.js';
import { IN_PROGRESS, type Call } from '../calls/call.js';
import type { CallRules } from '../calls/derive-call.js';
import { feedRecord, type FeedRecord } from '../calls/feed-record.js';
import { fold, type Fold } from '../calls/fold.js';
import type { Database } from './database.js';
import { knownCalls, UNKNOWN_CALL } from './known-calls.js';
import { countFrontEnds, type Counted } from './front-end-rows.js';
import { noteSeed } from './identity-seed.js';
import { insertRecords, recordRow, upsertCalls, type CallToStore } from './rows.js';
import { prepared, type Transaction } from './transaction.js';

/** Another aggregator has taken this batch, or one before it: nothing was changed, reading goes on where that stands. */
export class PositionMoved extends Error {
  override readonly name = 'PositionMoved';
}

export interface Committed {
  /** In their new state. */
  readonly calls: readonly Call[];
  /** Those that are over by now and were going on before, or were not known. */
  readonly completed: readonly Call[];
  readonly added: number;
  readonly duplicates: number;
  /** Records that their call has no room for. */
  readonly refused: readonly PublishedRecord[];
}

/** Thrown on purpose at the end of a rehearsal, so that the transaction is rolled back. */
class Rehearsed extends Error {}

/** Calls that are read, folded and written at a time; bounds the memory that a long backlog needs. */
const CALLS_AT_ONCE = 250;

type Incoming = ReadonlyMap<FeedRecord, PublishedRecord>;

/** Writes what records make of calls. One batch is one transaction with the position up to which it reaches. */
export class CallStore {
  constructor(
    private readonly database: Database,
    private readonly rules: CallRules,
    private readonly hiding?: IdentityHiding,
  ) {}

  /** To be called when the tables are there. */
  async prepare(): Promise<void> {
    if (this.hiding !== undefined) await noteSeed(this.database, this.hiding);
  }

  /** Undefined before the first batch. */
  async position(partition: number): Promise<Position | undefined> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<{ epoch: string; sequence: string }>(
        'select epoch, sequence from partition_positions where partition = $1',
        [partition],
      ),
    );
    const [row] = rows;
    return row && { epoch: row.epoch, sequence: Number(row.sequence) };
  }

  /** Of every partition that has one. */
  async positions(): Promise<ReadonlyMap<number, Position>> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<{ partition: number; epoch: string; sequence: string }>(
        'select partition, epoch, sequence from partition_positions',
      ),
    );
    return new Map(rows.map(({ partition, epoch, sequence }) => [partition, { epoch, sequence: Number(sequence) }]));
  }

  /**
   * Folds `records` into their calls and moves the partition's position, both or neither.
   * Rejects with {@link PositionMoved} when the position is not where the batch begins.
   */
  commit(batch: ReadBatch, records: readonly PublishedRecord[] = batch.records): Promise<Committed> {
    return this.database.write(async (transaction) => {
      await movePosition(transaction, batch);
      return this.foldInto(transaction, batch.partition, records);
    });
  }

  /** Does everything that {@link commit} does with these records and takes it back: rejects when they cannot be stored. */
  async rehearse(partition: number, records: readonly PublishedRecord[]): Promise<void> {
    const work = this.database.write(async (transaction) => {
      await this.foldInto(transaction, partition, records);
      throw new Rehearsed();
    });
    await work.catch((error: unknown) => {
      if (!(error instanceof Rehearsed)) throw error;
    });
  }

  private async foldInto(
    transaction: Transaction,
    partition: number,
    records: readonly PublishedRecord[],
  ): Promise<Committed> {
    const incoming = new Map(records.map((published) => [feedRecord(published), published]));
    const byCall = Map.groupBy(incoming.keys(), ({ record }) => callKey(record.connection.callId));
    const calls: Call[] = [];
    const completed: Call[] = [];
    const refused: PublishedRecord[] = [];
    const counted: Counted = { kept: new Set(incoming.keys()), added: new Set(), late: new Set() };
    const { kept, added, late } = counted;
    for await (const folds of this.foldedAndWritten(transaction, byCall, incoming)) {
      for (const each of folds) {
        if (each.added.length > 0) calls.push(each.call);
        if (completes(each)) completed.push(each.call);
        for (const record of each.added) added.add(record);
        for (const record of lateOnes(each)) late.add(record);
        for (const record of each.refused) {
          refused.push(...[incoming.get(record) ?? []].flat());
          kept.delete(record);
        }
      }
    }
    await countFrontEnds(transaction, partition, counted);
    return { calls, completed, added: added.size, duplicates: kept.size - added.size, refused };
  }

  /**
   * Some calls after the other. The database looks up the next ones and writes the last ones while these are folded: it
   * would stand still otherwise, and then we would.
   */
  private async *foldedAndWritten(
    transaction: Transaction,
    byCall: ReadonlyMap<string, readonly FeedRecord[]>,
    incoming: Incoming,
  ): AsyncGenerator<readonly FoldedNow[]> {
    const keys = [...byCall.keys()];
    const read = (at: number): ReturnType<typeof knownCalls> =>
      awaitedLater(knownCalls(transaction, keys.slice(at, at + CALLS_AT_ONCE)));
    let reading = read(0);
    let writing: Promise<unknown> = Promise.resolve();
    for (let at = 0; at < keys.length; at += CALLS_AT_ONCE) {
      const known = await reading;
      reading = read(at + CALLS_AT_ONCE);
      const folds = keys.slice(at, at + CALLS_AT_ONCE).map((key) => {
        const { records, history, storedOn, waits } = known.get(key) ?? UNKNOWN_CALL;
        return { ...fold(records, byCall.get(key) ?? [], this.rules, history), history, storedOn, waited: waits };
      });
      await writing;
      const changed = folds.filter(({ added, earlier }) => added.length + earlier.length > 0);
      writing = awaitedLater(this.write(transaction, changed, incoming));
      yield folds;
    }
    await writing;
  }

  private async write(transaction: Transaction, folds: readonly FoldedNow[], incoming: Incoming): Promise<void> {
    const records = awaitedLater(writeRecords(transaction, folds, incoming));
    // The database is at the records while rows are made of the calls.
    await turn();
    await upsertCalls(transaction, folds, this.hiding);
    await records;
  }
}

/** A failure is heard of where it is waited for; that nobody does yet must not end the process. */
function awaitedLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

const MOVE_POSITION = `
  update partition_positions set epoch = $2, sequence = $3
  where partition = $1 and ((epoch = $4 and sequence = $5) or (epoch <> $4 and $5 = 0))`;

/** First of all, because it locks the partition's row: whoever else is at it waits here and then finds it moved. */
async function movePosition(transaction: Transaction, { partition, before, after }: ReadBatch): Promise<void> {
  const values = [partition, after.epoch, after.sequence, before.epoch, before.sequence];
  const moved = await transaction.query(prepared(transaction, MOVE_POSITION, values));
  if (moved.rowCount === 1) return;
  const first =
    before.sequence === 0 &&
    (await transaction.query(
      `insert into partition_positions (partition, epoch, sequence) values ($1, $2, $3)
       on conflict (partition) do nothing`,
      [partition, after.epoch, after.sequence],
    ));
  if (first === false || first.rowCount !== 1) {
    throw new PositionMoved(`partition ${partition} is no longer at ${before.sequence}`);
  }
}

/** `waited`: as `KnownCall` has it. */
type FoldedNow = Fold & CallToStore & { readonly waited: boolean };

function completes({ call, storedOn, waited }: FoldedNow): boolean {
  return !IN_PROGRESS.includes(call.state) && (waited || storedOn === undefined);
}

/** Of the new records, those that came when the call was taken for complete. */
function lateOnes({ added, call: { settlesAt } }: Fold): readonly FeedRecord[] {
  return settlesAt === null ? [] : added.filter(({ receivedAt }) => receivedAt > Date.parse(settlesAt));
}

async function writeRecords(transaction: Transaction, folds: readonly FoldedNow[], incoming: Incoming): Promise<void> {
  const rows = folds.flatMap(({ records, added, earlier, storedOn }) => {
    // A record and an earlier copy of it may have come together: one row, with the time that the call has now.
    const byDigest = new Map([...earlier, ...added].map((record) => [record.digest, incoming.get(record)]));
    return records.flatMap((record) => {
      const published = byDigest.get(record.digest);
      return published === undefined ? [] : recordRow(record, published, storedOn);
    });
  });
  await insertRecords(transaction, rows);
}
