import { droppedMessages, type Bus } from '@ringdown/bus';
import type { Logger } from '@ringdown/observability';
import { SharedReading } from '../live/shared-reading.js';
import type { CallStore } from '../store/call-store.js';
import type { Database } from '../store/database.js';
import { droppedLately, noteDropped } from '../store/dropped.js';
import type { FeedMetrics } from './feed-metrics.js';

export interface LossWatchOptions {
  readonly bus: Bus;
  readonly database: Database;
  readonly store: CallStore;
  readonly metrics: FeedMetrics;
  readonly logger: Logger;
}

/**
 * Sees what the bus has dropped before it was read: the database was away, or nobody read, for longer than the bus keeps
 * records. Has to look before reading goes on, as the gap is behind what was read from then on.
 */
export class LossWatch {
  /** All partitions of a replica begin at about the same time. */
  private readonly looking = new SharedReading(() => this.lookOnce());

  constructor(private readonly options: LossWatchOptions) {}

  /** Rejects while bus or database are away. */
  look(): Promise<void> {
    return this.looking.get();
  }

  private async lookOnce(): Promise<void> {
    const { bus, database, store, metrics, logger } = this.options;
    const dropped = await droppedMessages(bus, await store.positions());
    // All replicas see the same gap; who notes it says so.
    if (dropped !== undefined && (await noteDropped(database, dropped))) {
      logger.error(
        { messages: dropped.messages, after: dropped.after.sequence },
        'the bus has dropped messages with records that were acknowledged and never read; RECORDS_MAX_BYTES and RECORDS_MAX_AGE_HOURS say how much it keeps',
      );
    }
    metrics.droppedAre(await droppedLately(database));
  }
}
