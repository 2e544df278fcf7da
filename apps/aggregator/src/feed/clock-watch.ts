import { RECORDS_STREAM } from '@ringdown/contracts/records';
import { busTime, type Bus } from '@ringdown/nats';
import { ServiceReports } from '@ringdown/service';
import type { Logger } from '@ringdown/observability';
import { databaseTime } from '../store/database/clock.js';
import type { Database } from '../store/database/database.js';
import type { FeedMetrics } from './feed-metrics.js';
import { FixedDelayTask } from './fixed-delay-task.js';

export interface ClockWatchOptions {
  readonly bus: Bus;
  readonly database: Database;
  readonly metrics: Pick<FeedMetrics, 'setClocks'>;
  readonly logger: Logger;
}

/** How far clocks are ahead of the database's clock, seconds; negative when behind. */
export interface ClockDifferences {
  readonly aggregator: number;
  readonly bus: number;
}

const PERIOD_MS = 10_000;
/** Replies take time too, and nothing here depends on smaller differences. */
const LARGE_SECONDS = 60;

/**
 * Compares the clocks of this process, of the bus and of the reporting services with the database's clock, by which
 * calls expire, and logs large differences.
 */
export class ClockWatch {
  private readonly task: FixedDelayTask;
  private readonly reports: ServiceReports;
  private known: ClockDifferences | undefined;
  /** The time of the database when the monotonic clock of this process was 0; the monotonic clock does not jump. */
  private databaseOrigin: number | undefined;
  /** The names of the clocks in the last log line. */
  private logged = '';

  constructor(private readonly options: ClockWatchOptions) {
    this.reports = new ServiceReports(options.bus);
    const [failure, recovery] = ['clocks could not be compared; trying again', 'clocks are compared again'];
    const { logger } = options;
    this.task = new FixedDelayTask({ work: () => this.compareAll(), periodMs: PERIOD_MS, logger, failure, recovery });
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  /** Undefined before they could be compared. */
  get differences(): ClockDifferences | undefined {
    return this.known;
  }

  /** The approximate time of the database, milliseconds since 1970, without a query. */
  now(): number {
    return this.databaseOrigin === undefined ? Date.now() : this.databaseOrigin + performance.now();
  }

  /**
   * Compares them again if the clock of this machine has jumped since, or the machine was suspended, which stops the
   * monotonic clock.
   */
  async compareAfterJump(): Promise<void> {
    const ahead = (Date.now() - this.now()) / 1_000;
    if (Math.abs(ahead - (this.known?.aggregator ?? 0)) > LARGE_SECONDS) await this.compare();
  }

  /** Whether the timestamps of the bus can be trusted. */
  get isBusRight(): boolean {
    return Math.abs(this.known?.bus ?? 0) <= LARGE_SECONDS;
  }

  /** Compares the clocks that reading depends on. */
  async compare(): Promise<ClockDifferences> {
    const { bus, database } = this.options;
    const ofDatabase = await clockOrigin(() => databaseTime(database));
    const ofBus = await clockOrigin(() => busTime(bus, RECORDS_STREAM));
    this.databaseOrigin = ofDatabase;
    this.known = { aggregator: seconds(Date.now() - this.now()), bus: seconds(ofBus - ofDatabase) };
    return this.known;
  }

  private async compareAll(): Promise<void> {
    const known = await this.compare();
    const all = { ...(await this.ofServices(known.bus)), ...known };
    this.options.metrics.setClocks(all);
    this.log(all);
  }

  /** By service, the difference of the instance whose clock is furthest away. */
  private async ofServices(busAhead: number): Promise<Readonly<Record<string, number>>> {
    const furthest = new Map<string, number>();
    for (const { service, clockAheadSeconds } of await this.reports.all()) {
      const ahead = clockAheadSeconds + busAhead;
      if (Math.abs(ahead) >= Math.abs(furthest.get(service) ?? 0)) furthest.set(service, ahead);
    }
    return Object.fromEntries(furthest);
  }

  private log(all: Readonly<Record<string, number>>): void {
    const large = Object.keys(all).filter((clock) => Math.abs(all[clock] ?? 0) > LARGE_SECONDS);
    const names = large.toSorted().join();
    if (names === this.logged) return;
    this.logged = names;
    const { logger } = this.options;
    const about = { secondsAheadOfDatabase: all };
    if (large.length > 0) logger.warn(about, 'clocks differ; calls expire by the clock of the database');
    else logger.info(about, 'clocks agree again');
  }
}

/** The time of a clock when the monotonic clock was 0; request and reply are assumed to take equally long. */
async function clockOrigin(time: () => Promise<number>): Promise<number> {
  const requestedAt = performance.now();
  const received = await time();
  return received - (requestedAt + performance.now()) / 2;
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1_000;
}
