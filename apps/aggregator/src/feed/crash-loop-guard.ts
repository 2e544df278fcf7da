import { reasonOf } from '@ringdown/errors';
import type { Position, ReadBatch } from '@ringdown/feed-bus';
import type { Logger } from '@ringdown/observability';
import type { CallStore, Committed } from '../store/call-store.js';
import type { ReadingAttempts } from '../store/reading-attempts.js';
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

/** Reading that has started more often than this at one position continues one record at a time. */
const STARTS_AT_ONE_POSITION = 2;
/** A record at which the process has ended this often, while it was the only one being processed, is set aside. */
const ENDS_AT_ONE_RECORD = 2;

/**
 * Writes batches to the database. {@link storeBatch} handles what can be caught or interrupted; what ends the whole process
 * (its memory is exhausted, or code that nothing interrupts never returns and the process is killed) can only be
 * detected by the next process: it starts at the same position as the one before. It then reads one record at a time
 * and stores which one.
 */
export class CrashLoopGuard {
  /** Partitions that are being read and whose start has been counted. */
  private readonly begun = new Set<number>();
  /** By partition that needs careful reading: how often earlier processes ended at which record. */
  private readonly earlierEnds = new Map<number, Map<string, number>>();

  constructor(private readonly options: CrashLoopGuardOptions) {}

  /** May be called again when reading continues after a failure. */
  async begin(partition: number, position: Position | undefined): Promise<void> {
    if (this.begun.has(partition)) return;
    const { attempts, logger } = this.options;
    const { starts, tries } = await attempts.begin(partition, position);
    this.begun.add(partition);
    if (starts <= STARTS_AT_ONE_POSITION) return;
    this.earlierEnds.set(partition, new Map(Object.entries(tries)));
    logger.warn({ partition, starts }, 'reading has ended several times at one position; reading one record at a time');
  }

  /** For an orderly end. */
  async end(partition: number): Promise<void> {
    const { attempts, logger } = this.options;
    this.earlierEnds.delete(partition);
    if (!this.begun.delete(partition)) return;
    await attempts.delete(partition).catch((error: unknown) => {
      logger.debug({ partition, reason: reasonOf(error) }, 'an orderly end could not be stored');
    });
  }

  async process(batch: ReadBatch): Promise<Committed> {
    const ends = this.earlierEnds.get(batch.partition);
    if (ends === undefined) return this.storeBatch(batch);
    const committed: Committed[] = [];
    let { before } = batch;
    for (const record of batch.records) {
      const stored = await this.processOne({ ...batch, before }, record, ends);
      committed.push(...stored);
      if (stored.length > 0) before ??= startOf(batch);
    }
    committed.push(await this.storeBatch({ ...batch, before, records: [] }));
    this.earlierEnds.delete(batch.partition);
    return merged(committed);
  }

  /** The position is not moved: when the process ends, the records before come again and count as copies. */
  private async processOne(
    batch: ReadBatch,
    record: ReadBatch['records'][number],
    ends: Map<string, number>,
  ): Promise<readonly Committed[]> {
    const { attempts, setAside } = this.options;
    const id = idOf(record);
    const count = ends.get(id) ?? 0;
    if (count >= ENDS_AT_ONE_RECORD) {
      const reason = `the process ended ${count} times while it was processed`;
      await setAside(batch, [{ record, code: 'fatal-record', reason }]);
      return [];
    }
    await attempts.storeTries(batch.partition, Object.fromEntries([...ends, [id, count + 1]]));
    const after = batch.before ?? startOf(batch);
    const committed = await this.storeBatch({ ...batch, records: [record], sent: [], after }, batch);
    ends.delete(id);
    return [committed];
  }

  /** `read`: the batch as it was read. */
  private async storeBatch(batch: ReadBatch, read: ReadBatch = batch): Promise<Committed> {
    const { store, time, setAside } = this.options;
    return storeBatch(batch, store, await time(), (unprocessable) => setAside(read, unprocessable));
  }
}

/** The position of a partition before anything of it is stored. */
function startOf({ after: { epoch } }: ReadBatch): Position {
  return { epoch, sequence: 0 };
}

/** A value that is not a record in our collectors' format gets an id that no record has. */
function idOf(record: unknown): string {
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
