import { Semaphore } from '@ringdown/concurrency';
import { errorReason } from '@ringdown/errors';
import type { Position, ReadBatch } from '@ringdown/feed-bus';
import type { Logger } from '@ringdown/observability';
import type { CallStore, Committed } from '../store/calls/call-store.js';
import type { ReadingAttempts } from '../store/database/reading-attempts.js';
import { storeBatch, type UnprocessableRecord } from './record-intake.js';
import type { KnownTime } from './time-of-receipt.js';

export interface CrashLoopGuardOptions {
  readonly attempts: Pick<ReadingAttempts, 'begin' | 'storeTries' | 'delete'>;
  readonly store: Pick<CallStore, 'commit' | 'dryRun'>;
  /** The current time, for processing a batch. */
  readonly time: () => Promise<KnownTime>;
  readonly logger: Logger;
  /** Rejects when the bus does not store them. */
  readonly setAside: (batch: ReadBatch, unprocessable: readonly UnprocessableRecord[]) => Promise<void>;
}

/** Reading that has started more often than this at one position, with records in hand each time, continues carefully. */
const STARTS_AT_ONE_POSITION = 1;
/** A record at which the process has ended this often, while it was the only one being processed, is set aside. */
const ENDS_AT_ONE_RECORD = 2;
/** A process that ended with one of them in hand processes these one at a time at its next start. */
const RECORDS_TOGETHER = 32;
/** Of a record that was in hand together with others when a process ended. */
const WITH_OTHERS = 0;
/** A process that still runs after this time waits for the database: if it is killed then, that is not because of the record. */
const WAITING_MS = 2_000;

/**
 * Writes batches to the database. {@link storeBatch} handles what can be caught or interrupted; what ends the whole process
 * (its memory is exhausted, or code that nothing interrupts never returns and the process is killed) can only be
 * detected by the next process: it starts at the same position as the one before, which had begun to read records there. It then reads
 * few records at a time and stores which ones, and at the next end of a process only one of those. A process that is killed while it has
 * nothing to read, or waits for the database, leaves no suspicion behind.
 */
export class CrashLoopGuard {
  /** Partitions that are being read and whose start has been counted. */
  private readonly begun = new Set<number>();
  /** By partition that needs careful reading: how often earlier processes ended at which record; see {@link WITH_OTHERS}. */
  private readonly earlierEnds = new Map<number, Map<string, number>>();
  /** Otherwise the end of a process would be counted at the records of every partition. */
  private readonly oneAtATime = new Semaphore(1);

  constructor(private readonly options: CrashLoopGuardOptions) {}

  /** To be called when there are records to read, before they are decoded; again at each later batch. */
  async begin(partition: number, position: Position | undefined): Promise<void> {
    if (this.begun.has(partition)) return;
    const { attempts, logger } = this.options;
    const { starts, tries } = await attempts.begin(partition, position);
    this.begun.add(partition);
    if (starts <= STARTS_AT_ONE_POSITION) return;
    this.earlierEnds.set(partition, new Map(Object.entries(tries)));
    logger.warn({ partition, starts }, 'a process ended while it read records at this position; reading few at a time');
  }

  /** For an orderly end. */
  async end(partition: number): Promise<void> {
    const { attempts, logger } = this.options;
    this.earlierEnds.delete(partition);
    if (!this.begun.delete(partition)) return;
    await attempts.delete(partition).catch((error: unknown) => {
      logger.debug({ partition, reason: errorReason(error) }, 'an orderly end could not be stored');
    });
  }

  async process(batch: ReadBatch): Promise<Committed> {
    const ends = this.earlierEnds.get(batch.partition);
    if (ends === undefined) return this.storeBatch(batch);
    const committed: Committed[] = [];
    let { before } = batch;
    for (const records of fewAtATime(batch.records, ends)) {
      const stored = await this.oneAtATime.runExclusive(() =>
        this.processFew({ ...batch, before, records }, batch, ends),
      );
      committed.push(...stored);
      if (stored.length > 0) before ??= partitionStart(batch);
    }
    committed.push(await this.storeBatch({ ...batch, before, records: [] }));
    this.earlierEnds.delete(batch.partition);
    return merged(committed);
  }

  /** The position is not moved: when the process ends, the records before come again and count as copies. `read`: the whole batch. */
  private async processFew(few: ReadBatch, read: ReadBatch, ends: Map<string, number>): Promise<readonly Committed[]> {
    const { attempts, setAside } = this.options;
    const { partition, records } = few;
    const [record] = records;
    const isAlone = records.length === 1;
    const count = ends.get(recordIdOrText(record)) ?? WITH_OTHERS;
    if (isAlone && count >= ENDS_AT_ONE_RECORD) {
      const reason = `the process ended ${count} times while it was processed`;
      await setAside(few, [{ record, code: 'fatal-record', reason }]);
      return [];
    }
    const marked = records.map((each): [string, number] => [recordIdOrText(each), isAlone ? count + 1 : WITH_OTHERS]);
    await attempts.storeTries(partition, Object.fromEntries([...ends, ...marked]));
    const timer = setTimeout(() => void this.storeWaiting(partition, ends), WAITING_MS);
    try {
      const after = few.before ?? partitionStart(few);
      const committed = await this.storeBatch({ ...few, sent: [], after }, read);
      for (const [id] of marked) ends.delete(id);
      return [committed];
    } finally {
      clearTimeout(timer);
    }
  }

  /** Nothing of the records in hand still runs: only their answer from the database is missing. */
  private async storeWaiting(partition: number, ends: ReadonlyMap<string, number>): Promise<void> {
    const { attempts, logger } = this.options;
    await attempts.storeTries(partition, Object.fromEntries(ends)).catch((error: unknown) => {
      logger.debug({ partition, reason: errorReason(error) }, 'a wait for the database could not be stored');
    });
  }

  /** `read`: the batch as it was read. */
  private async storeBatch(batch: ReadBatch, read: ReadBatch = batch): Promise<Committed> {
    const { store, time, setAside } = this.options;
    return storeBatch(batch, store, await time(), (unprocessable) => setAside(read, unprocessable));
  }
}

/** In order: each record that was in hand at an end alone, the others together. */
function fewAtATime(records: ReadBatch['records'], ends: ReadonlyMap<string, number>): ReadBatch['records'][] {
  const groups: ReadBatch['records'][number][][] = [];
  let together: ReadBatch['records'][number][] = [];
  for (const record of records) {
    const isSuspect = ends.has(recordIdOrText(record));
    if (isSuspect || together.length >= RECORDS_TOGETHER) {
      groups.push(together);
      together = [];
    }
    if (isSuspect) groups.push([record]);
    else together.push(record);
  }
  groups.push(together);
  return groups.filter((group) => group.length > 0);
}

/** The position of a partition before anything of it is stored. */
function partitionStart({ after: { epoch } }: ReadBatch): Position {
  return { epoch, sequence: 0 };
}

/** A value that is not a record in our collectors' format gets an id that no record has. */
function recordIdOrText(record: unknown): string {
  const { id } = Object(record);
  return typeof id === 'string' ? id : JSON.stringify(record).slice(0, 200);
}

function merged(all: readonly Committed[]): Committed {
  return {
    calls: all.flatMap(({ calls }) => calls),
    completed: all.flatMap(({ completed }) => completed),
    added: all.reduce((sum, { added }) => sum + added, 0),
    duplicates: all.reduce((sum, { duplicates }) => sum + duplicates, 0),
    reread: all.reduce((sum, { reread }) => sum + reread, 0),
    impossibleValues: all.reduce((sum, { impossibleValues }) => sum + impossibleValues, 0),
    refused: all.flatMap(({ refused }) => refused),
  };
}
