import { partitionAmong } from '@ringdown/contracts/records';
import type { Bus } from '@ringdown/nats';
import type { Logger } from '@ringdown/observability';
import type { CallStore } from '../store/calls/call-store.js';
import type { FeedPartitions } from '../store/feed/feed-partitions.js';
import type { IdleCalls, CallBatch } from '../store/calls/idle-calls.js';
import type { CallsChangedPublisher } from './calls-changed.js';
import type { FeedMetrics } from './feed-metrics.js';
import { caughtUp } from './partition-progress.js';
import { FixedDelayTask } from './fixed-delay-task.js';

export interface CallSweeperOptions {
  readonly bus: Bus;
  readonly store: CallStore;
  readonly partitions: FeedPartitions;
  readonly idleCalls: IdleCalls;
  readonly changed: CallsChangedPublisher;
  readonly metrics: FeedMetrics;
  readonly logger: Logger;
  readonly periodMs: number;
  /** The clock that calls expire by, milliseconds since 1970: the database's, which all replicas share. */
  readonly now: () => Promise<number>;
  /** Calls that are found at a time, in all partitions together. */
  readonly foundAtOnce?: number;
}

const FOUND_AT_ONCE = 5_000;
/** Calls in one transaction. */
const CHANGED_AT_ONCE = 250;

/**
 * Applies time-outs. All state is in the database, so nothing is lost when a process ends, and any replica may do it: a
 * second one finds nothing left to do. A partition with unread records is skipped.
 */
export class CallSweeper {
  private readonly task: FixedDelayTask;

  constructor(private readonly options: CallSweeperOptions) {
    const { periodMs, logger } = options;
    const failure = 'time-outs could not be applied; trying again';
    const recovery = 'time-outs are applied again';
    this.task = new FixedDelayTask({ work: () => this.sweep(), periodMs, logger, failure, recovery });
  }

  start(): void {
    this.task.start();
  }

  /** Finishes the current transaction. */
  stop(): Promise<void> {
    return this.task.stop();
  }

  /** Processes all calls that are due now, once. */
  async sweep(): Promise<void> {
    const { idleCalls, changed, foundAtOnce = FOUND_AT_ONCE } = this.options;
    await this.timeOut();
    await idleCalls.reopenExpiredAhead();
    // After an upgrade there may be millions of them: time-outs are due meanwhile, and subscribers read the calls again
    // instead of following each change.
    let hasRebuilt = false;
    try {
      for await (const found of idleCalls.stale(foundAtOnce)) {
        await this.each(found, (batch) => {
          hasRebuilt = true;
          return idleCalls.rebuild(batch);
        });
        if (this.task.signal.aborted) break;
        await this.timeOut();
      }
    } finally {
      if (hasRebuilt) changed.readAgain();
    }
  }

  private async timeOut(): Promise<void> {
    const { idleCalls, changed, metrics, now, foundAtOnce = FOUND_AT_ONCE } = this.options;
    let skipped = 0;
    for await (const found of idleCalls.overdue(await now(), foundAtOnce)) {
      skipped += await this.each(found, async (batch) => {
        const calls = await idleCalls.timeOut(batch, await now()).catch((error: unknown) => {
          // The change may be in the database anyway.
          changed.readAgain();
          throw error;
        });
        changed.publish(calls);
        metrics.timedOut(calls);
      });
      if (this.task.signal.aborted) break;
    }
    metrics.setPastDue(skipped);
  }

  /** Returns how many calls were skipped together with their partition: they do not delay those after them. */
  private async each(callKeys: readonly string[], change: (batch: CallBatch) => Promise<unknown>): Promise<number> {
    const { bus, store } = this.options;
    const partitions = this.options.partitions.count;
    let skipped = 0;
    for (const [partition, ofPartition] of Map.groupBy(callKeys, (key) => partitionAmong(partitions, key))) {
      const position = (await caughtUp(bus, store, [partition])).get(partition);
      if (position === undefined) {
        skipped += ofPartition.length;
        continue;
      }
      for (let at = 0; at < ofPartition.length && !this.task.signal.aborted; at += CHANGED_AT_ONCE) {
        const batch = { partition, partitions, position, callKeys: ofPartition.slice(at, at + CHANGED_AT_ONCE) };
        await change(batch);
      }
    }
    return skipped;
  }
}
