import type { Logger } from '@ringdown/observability';
import type { History } from '../store/history.js';
import type { PlannerStatistics } from '../store/planner-statistics.js';
import { FixedDelayTask } from './fixed-delay-task.js';

export interface HistoryMaintenanceOptions {
  readonly history: History;
  readonly statistics: PlannerStatistics;
  /** How long calls are kept. */
  readonly days: number;
  readonly logger: Logger;
}

const PERIOD_MS = 3_600_000;
/** As autovacuum does by default. */
const STATISTICS_PERIOD_MS = 60_000;

/**
 * Extends the history at its new end, drops it at the old end, and renews what the planner knows of it. Any replica may
 * do it.
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
    const statistics = new FixedDelayTask({
      work: () => this.renewStatistics(),
      periodMs: STATISTICS_PERIOD_MS,
      logger,
      failure: 'the statistics of the planner could not be renewed; trying again in a minute',
      recovery: 'the statistics of the planner are renewed again',
    });
    this.tasks = [history, statistics];
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
    if (weeks > 0) logger.info({ weeks, days }, 'weeks of calls were deleted because of their age');
  }

  private async renewStatistics(): Promise<void> {
    const tables = await this.options.statistics.refresh();
    if (tables.length > 0) this.options.logger.debug({ tables }, 'the statistics of the planner were renewed');
  }
}
