import type { Semaphore } from '@ringdown/concurrency';
import { errorReason } from '@ringdown/errors';
import type { ReadBatch } from '@ringdown/feed-bus';
import type { Logger } from '@ringdown/observability';
import type { BatchToStore, CallStore, Committed } from '../store/calls/call-store.js';
import { DatabaseUnavailable } from '../store/database/database.js';
import { PositionMoved } from '../store/feed/positions.js';
import { BatchGroups, type GroupPlace, type InHand } from './batch-groups.js';
import type { CrashLoopGuard } from './crash-loop-guard.js';
import { sortOut, storeSorted, type UnprocessableRecord } from './record-intake.js';
import type { KnownTime } from './time-of-receipt.js';

export interface GroupCommitOptions {
  readonly store: Pick<CallStore, 'commit' | 'commitAll' | 'dryRun'>;
  readonly guard: Pick<CrashLoopGuard, 'process'>;
  /** How many transactions may write at the same time. */
  readonly slots: Semaphore;
  readonly time: () => Promise<KnownTime>;
  /** Rejects when the bus does not store them. */
  readonly setAside: (batch: ReadBatch, unprocessable: readonly UnprocessableRecord[]) => Promise<void>;
  readonly logger: Logger;
}

/** The place of a partition among the groups. */
export type CommitPlace = GroupPlace<BatchToStore, Committed | PositionMoved>;

/**
 * Stores the batches of several partitions in one transaction. What one of them fails at must not hold up the others: then
 * nothing of the group is stored, and each batch is stored alone, in a transaction of its own.
 */
export class GroupCommit {
  private readonly groups: BatchGroups<BatchToStore, Committed | PositionMoved>;
  /**
   * Partitions whose last batch was stored. Others are alone until one is: the first batch of a process, because its end would
   * otherwise make all partitions of the group suspicious, and one behind a failure, which may fail again.
   */
  private readonly stored = new Set<number>();

  constructor(private readonly options: GroupCommitOptions) {
    const { slots } = options;
    this.groups = new BatchGroups({ slots, storeTogether: (batches) => this.storeTogether(batches) });
  }

  place(partition: number, inHand: () => InHand): CommitPlace {
    return this.groups.place(inHand, () => !this.stored.has(partition));
  }

  /** To be called when the partition is no longer read. */
  end(partition: number): void {
    this.stored.delete(partition);
  }

  /** Rejects as {@link CallStore.commit} does. */
  async process(batch: ReadBatch, place: CommitPlace): Promise<Committed> {
    const { partition } = batch;
    const isAlone = !this.stored.delete(partition);
    const committed = isAlone
      ? await place.alone(() => this.options.guard.process(batch))
      : await this.inGroup(batch, place);
    this.stored.add(partition);
    return committed;
  }

  private async inGroup(batch: ReadBatch, place: CommitPlace): Promise<Committed> {
    const { time, setAside } = this.options;
    const sorted = await sortOut(batch, await time(), (unprocessable) => setAside(batch, unprocessable));
    const committed = await place.store(sorted);
    if (committed instanceof PositionMoved) throw committed;
    return committed ?? place.alone(() => this.storeAlone(sorted));
  }

  private storeAlone(sorted: BatchToStore): Promise<Committed> {
    const { store, setAside } = this.options;
    return storeSorted(sorted, store, (unprocessable) => setAside(sorted.batch, unprocessable));
  }

  private async storeTogether(
    batches: readonly BatchToStore[],
  ): Promise<readonly (Committed | PositionMoved | undefined)[]> {
    const [first, ...others] = batches;
    if (first === undefined) return [];
    if (others.length === 0) return [await this.storeAlone(first)];
    try {
      return await this.options.store.commitAll(batches);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      const partitions = batches.map(({ batch }) => batch.partition);
      this.options.logger.info(
        { partitions, reason: errorReason(error) },
        'batches could not be stored together; storing each alone',
      );
      return [];
    }
  }
}
