import type { Logger } from '@ringdown/observability';
import type { History } from '../store/history.js';
import type { TableUpkeep } from '../store/table-upkeep.js';
import { FixedDelayTask } from './fixed-delay-task.js';

export interface HistoryMaintenanceOptions {
  readonly history: History;
  readonly upkeep: TableUpkeep;
  /** How long calls are kept. */
  readonly days: number;
  readonly logger: Logger;
}

const PERIOD_MS = 3_600_000;
/** As autovacuum does by default. */
const UPKEEP_PERIOD_MS = 60_000;

/**
 * Extends the history at its new end, drops it at the old end, and keeps statistics and indexes of its tables. Any replica may
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
    const upkeep = new FixedDelayTask({
      work: () => this.keepUp(),
      periodMs: UPKEEP_PERIOD_MS,
      logger,
      failure: 'statistics and indexes of the tables could not be maintained; trying again in a minute',
      recovery: 'statistics and indexes of the tables are maintained again',
    });
    this.tasks = [history, upkeep];
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

  private async keepUp(): Promise<void> {
    const { upkeep, logger } = this.options;
    const vacuumed = await upkeep.vacuumTables();
    if (vacuumed.length > 0) logger.debug({ tables: vacuumed }, 'the room of dead rows was made usable again');
    // A vacuum has renewed the statistics of its tables.
    const tables = await upkeep.analyzeChanged();
    if (tables.length > 0) logger.debug({ tables }, 'the statistics of the planner were renewed');
    await upkeep.movePendingEntries();
  }
}
