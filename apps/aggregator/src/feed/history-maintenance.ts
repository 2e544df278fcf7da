import type { Logger } from '@ringdown/observability';
import type { Database } from '../store/database/database.js';
import type { History } from '../store/calls/history.js';
import type { HourCounter } from '../store/statistics/counting/hour-counter.js';
import { movePendingEntries } from '../store/calls/pending-entries.js';
import { FixedDelayTask } from './fixed-delay-task.js';

export interface HistoryMaintenanceOptions {
  readonly history: History;
  readonly database: Database;
  readonly hours: HourCounter;
  /** How long calls are kept. */
  readonly days: number;
  readonly logger: Logger;
}

const PERIOD_MS = 3_600_000;
const INDEX_PERIOD_MS = 60_000;
const COUNT_PERIOD_MS = 60_000;

/**
 * Extends the history at its new end, drops it at the old end, keeps the indexes of texts short, and
 * counts the hours that have ended. Any replica may do it.
 */
export class HistoryMaintenance {
  private readonly tasks: readonly FixedDelayTask[];

  constructor(private readonly options: HistoryMaintenanceOptions) {
    const { logger } = options;
    const history = new FixedDelayTask({
      work: () => this.maintain(),
      periodMs: PERIOD_MS,
      logger,
      failure: 'the history could not be maintained; trying again in an hour',
      recovery: 'the history is maintained again',
    });
    const indexes = new FixedDelayTask({
      work: () => this.keepIndexes(),
      periodMs: INDEX_PERIOD_MS,
      logger,
      failure: 'the indexes of texts could not be maintained; trying again in a minute',
      recovery: 'the indexes of texts are maintained again',
    });
    const counts: FixedDelayTask = new FixedDelayTask({
      work: () => this.options.hours.count(counts.signal),
      periodMs: COUNT_PERIOD_MS,
      logger,
      failure: 'hours could not be counted, so their statistics are read from the calls; trying again in a minute',
      recovery: 'hours are counted again',
    });
    this.tasks = [history, indexes, counts];
  }

  /** Nothing can be stored before this is done. */
  prepare(): Promise<void> {
    return this.options.history.prepare();
  }

  start(): void {
    for (const task of this.tasks) task.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  private async maintain(): Promise<void> {
    const { history, days, logger } = this.options;
    await history.prepare();
    const weeks = await history.deleteOlderThan(days);
    await this.options.hours.forget();
    if (weeks > 0) logger.info({ weeks, days }, 'weeks of calls were deleted because of their age');
  }

  private async keepIndexes(): Promise<void> {
    await movePendingEntries(this.options.database);
  }
}
