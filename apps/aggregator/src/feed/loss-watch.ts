import { CoalescedTask } from '@ringdown/concurrency';
import { lostMessages, type LostMessages } from '@ringdown/feed-bus';
import type { Bus } from '@ringdown/nats';
import type { Logger } from '@ringdown/observability';
import type { CallStore } from '../store/calls/call-store.js';
import type { Database } from '../store/database/database.js';
import { storeLoss, recentLosses } from '../store/feed/losses.js';
import type { FeedMetrics } from './feed-metrics.js';
import { lossProblem, type KnownLosses } from './known-losses.js';
import { MissingRecords } from './missing-records.js';

export interface LossWatchOptions {
  readonly bus: Bus;
  readonly database: Database;
  readonly store: CallStore;
  readonly metrics: FeedMetrics;
  readonly logger: Logger;
}

/**
 * Detects what the bus has lost: what it dropped unread because the database was not reachable, or no aggregator ran,
 * for longer than the bus keeps records; and what is missing after the bus came back with an older state. It must check
 * before reading continues, because after that the gap is behind the position.
 */
export class LossWatch {
  /** All partitions of a replica begin at about the same time. */
  private readonly checking = new CoalescedTask(() => this.checkOnce());

  private readonly missing: MissingRecords;
  private missingNow: number | undefined;

  constructor(private readonly options: LossWatchOptions) {
    this.missing = new MissingRecords(options);
  }

  /** Rejects while the database is not reachable. */
  async known(): Promise<KnownLosses> {
    const known = { ...(await recentLosses(this.options.database)), missingRecords: this.missingNow ?? null };
    this.options.metrics.setLosses(known);
    return known;
  }

  /** A health check: rejects with what was lost. */
  async assertNoLoss(): Promise<void> {
    const problem = lossProblem(await this.known());
    if (problem !== undefined) throw new Error(problem);
  }

  /** Compares what collectors have accepted with what was read. Rejects while bus or database are not reachable. */
  async countMissing(): Promise<void> {
    const { logger } = this.options;
    const before = this.missingNow ?? 0;
    const records = await this.missing.count();
    this.missingNow = records;
    // At once: a database that fails must not swallow it, as the next count is no larger.
    if (records > before) {
      logger.error({ records }, 'collectors have accepted records that the bus has lost before they were read');
    }
    await this.known();
  }

  /** Rejects while bus or database are not reachable. */
  check(): Promise<void> {
    return this.checking.run();
  }

  private async checkOnce(): Promise<void> {
    const { bus, database, store, logger } = this.options;
    const lost = await lostMessages(bus, await store.positions());
    // All replicas detect the same loss; the one that stores it logs it.
    if (lost !== undefined && (await storeLoss(database, lost))) {
      logger.error({ messages: lost.messages, after: lost.after }, MESSAGES[lost.kind]);
    }
    await this.known();
  }
}

const MESSAGES: Readonly<Record<LostMessages['kind'], string>> = {
  dropped:
    'the bus has dropped messages with records that were acknowledged and never read; RECORDS_MAX_BYTES and RECORDS_MAX_AGE_HOURS limit how much it keeps',
  shortened:
    'the bus has lost its newest messages with records that were acknowledged; those that were read are safe, and the rest of the feed is read again',
};
