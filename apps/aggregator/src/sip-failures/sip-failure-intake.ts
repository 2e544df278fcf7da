import type { SipFailureReport } from '@ringdown/contracts/sip-failures';
import { SipFailureReader } from '@ringdown/feed-bus';
import type { Bus } from '@ringdown/nats';
import type { Logger } from '@ringdown/observability';
import { FixedDelayTask } from '../feed/fixed-delay-task.js';
import { PreparedStart } from '../feed/prepared-start.js';
import { isDataError } from '../store/database/query-errors.js';
import type { SipFailureStore } from './sip-failure-store.js';

export interface SipFailureIntakeOptions {
  readonly bus: Bus;
  readonly store: SipFailureStore;
  /** How long rows are kept, days. */
  readonly days: number;
  readonly logger: Logger;
}

const CLEANING_MS = 3_600_000;
/** About 100 MB. A report has a few rows; senders at fault have a thousand every ten seconds. */
const MOST_ROWS = 500_000;

/** Reads reports of failed SIP requests from the bus into the database, beside the records. */
export class SipFailureIntake {
  private readonly reader: SipFailureReader;
  private readonly cleaning: FixedDelayTask;
  private readonly beginning: PreparedStart;

  constructor(private readonly options: SipFailureIntakeOptions) {
    const { bus, store, days, logger } = options;
    this.reader = new SipFailureReader({
      bus,
      logger,
      handle: (report) => this.process(report),
      onUnreadable: () => logger.warn('a report of failed SIP requests on the bus could not be read and was deleted'),
    });
    this.cleaning = new FixedDelayTask({
      work: () => store.deleteOld(days, MOST_ROWS),
      periodMs: CLEANING_MS,
      logger,
      failure: 'old failed SIP requests could not be deleted; trying again in an hour',
      recovery: 'old failed SIP requests are deleted again',
    });
    this.beginning = new PreparedStart({
      isPrepared: () => store.isPrepared(),
      begin: () => {
        this.cleaning.start();
        this.reader.start();
      },
      content: 'failed SIP requests',
      logger,
    });
  }

  /** Returns at once: it begins when the database has its tables. */
  start(): void {
    this.beginning.start();
  }

  async stop(): Promise<void> {
    await this.beginning.stop();
    await Promise.all([this.cleaning.stop(), this.reader.stop()]);
  }

  private async process(report: SipFailureReport): Promise<void> {
    const { store, logger } = this.options;
    try {
      await store.add(report);
    } catch (error) {
      if (!isDataError(error)) throw error;
      logger.warn({ err: error, frontEnd: report.frontEnd }, 'the database rejected a report of failed SIP requests');
    }
  }
}
