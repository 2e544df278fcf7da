import type { Logger } from '@ringdown/observability';
import type { History } from '../store/history.js';
import { FixedDelayTask } from './fixed-delay-task.js';

export interface HistoryMaintenanceOptions {
  readonly history: History;
  /** How long calls are kept. */
  readonly days: number;
  readonly logger: Logger;
}

const PERIOD_MS = 3_600_000;

/** Extends the history at its new end and drops it at the old end. Any replica may do it. */
export class HistoryMaintenance {
  private readonly task: FixedDelayTask;

  constructor(private readonly options: HistoryMaintenanceOptions) {
    const { logger } = options;
    const failure = 'the history could not be maintained; trying again in an hour';
    const recovery = 'the history is maintained again';
    this.task = new FixedDelayTask({ work: () => this.maintain(), periodMs: PERIOD_MS, logger, failure, recovery });
  }

  /** Nothing can be stored before this is done. */
  prepare(): Promise<void> {
    return this.options.history.prepare();
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  private async maintain(): Promise<void> {
    const { history, days, logger } = this.options;
    await history.prepare();
    const weeks = await history.deleteOlderThan(days);
    if (weeks > 0) logger.info({ weeks, days }, 'weeks of calls were deleted because of their age');
  }
}
