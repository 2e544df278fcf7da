import { reasonOf } from '@ringdown/errors';
import type { Position, ReadBatch } from '@ringdown/feed-bus';
import type { Logger } from '@ringdown/observability';
import type { CallStore, Committed } from '../store/call-store.js';
import type { ReadingAttempts } from '../store/reading-attempts.js';
import { takeIn, type Unusable } from './record-intake.js';
import type { KnownTime } from './time-of-receipt.js';

export interface CarefulReadingOptions {
  readonly attempts: Pick<ReadingAttempts, 'begin' | 'note' | 'forget'>;
  readonly store: Pick<CallStore, 'commit' | 'rehearse'>;
  /** When a batch is taken in. */
  readonly time: () => Promise<KnownTime>;
  readonly logger: Logger;
  /** Rejects when the bus does not store them. */
  readonly setAside: (batch: ReadBatch, unusable: readonly Unusable[]) => Promise<void>;
}

/** A reading that has begun at one place more often goes on there one record at a time. */
const STARTS_AT_ONE_PLACE = 2;
/** A record at which the process has ended so often, with nothing else in hand, is set aside. */
const ENDS_AT_ONE_RECORD = 2;

/**
 * Brings batches into the database. What can be caught or interrupted is dealt with by {@link takeIn}; what ends the whole
 * process (its memory is exhausted, or code that nothing interrupts never returns and it is killed) can only be seen by the
 * next one: it begins where the one before has begun, too. It then reads one record at a time and writes down at which one.
 */
export class CarefulReading {
  /** Partitions that are read at the moment and have been counted. */
  private readonly begun = new Set<number>();
  /** By partition to be read with care: how often earlier processes ended at which record. */
  private readonly earlierEnds = new Map<number, Map<string, number>>();

  constructor(private readonly options: CarefulReadingOptions) {}

  /** May be called again when the reading goes on after a failure. */
  async begins(partition: number, position: Position | undefined): Promise<void> {
    if (this.begun.has(partition)) return;
    const { attempts, logger } = this.options;
    const { starts, tries } = await attempts.begin(partition, position);
    this.begun.add(partition);
    if (starts <= STARTS_AT_ONE_PLACE) return;
    this.earlierEnds.set(partition, new Map(Object.entries(tries)));
    logger.warn({ partition, starts }, 'reading has ended several times at one place; reading one record at a time');
  }

  /** In an orderly way. */
  async ends(partition: number): Promise<void> {
    const { attempts, logger } = this.options;
    this.earlierEnds.delete(partition);
    if (!this.begun.delete(partition)) return;
    await attempts.forget(partition).catch((error: unknown) => {
      logger.debug({ partition, reason: reasonOf(error) }, 'an orderly end could not be written down');
    });
  }

  async take(batch: ReadBatch): Promise<Committed> {
    const ends = this.earlierEnds.get(batch.partition);
    if (ends === undefined) return this.takeIn(batch);
    const committed: Committed[] = [];
    let { before } = batch;
    for (const record of batch.records) {
      const taken = await this.takeOne({ ...batch, before }, record, ends);
      committed.push(...taken);
      if (taken.length > 0) before ??= beginningOf(batch);
    }
    committed.push(await this.takeIn({ ...batch, before, records: [] }));
    this.earlierEnds.delete(batch.partition);
    return merged(committed);
  }

  /** The position stays where it is: when the process ends, what came before comes again and counts as copies. */
  private async takeOne(
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
    await attempts.note(batch.partition, Object.fromEntries([...ends, [id, count + 1]]));
    const after = batch.before ?? beginningOf(batch);
    const committed = await this.takeIn({ ...batch, records: [record], sent: [], after }, batch);
    ends.delete(id);
    return [committed];
  }

  /** `read`: the batch as it was read. */
  private async takeIn(batch: ReadBatch, read: ReadBatch = batch): Promise<Committed> {
    const { store, time, setAside } = this.options;
    return takeIn(batch, store, await time(), (unusable) => setAside(read, unusable));
  }
}

/** Where a partition stands of which nothing was stored yet. */
function beginningOf({ after: { epoch } }: ReadBatch): Position {
  return { epoch, sequence: 0 };
}

/** What is none of a record, as our collectors write them, has an id that no other has. */
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
    refused: all.flatMap(({ refused }) => refused),
  };
}
