import { Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { RejectedRecords } from '@ringdown/feed-bus';
import { RECORDS_STREAM } from '@ringdown/contracts/records';
import { Bus } from '@ringdown/nats';
import { assertStreamWorks } from '@ringdown/nats/streams';
import { Health, LOGGER, Metrics } from '@ringdown/observability';
import { derived, provideClass } from '@ringdown/service';
import { ContextModule, fromSettings } from '../context.module.js';
import { CallQueries } from '../store/calls/call-queries.js';
import { CallStore } from '../store/calls/call-store.js';
import { databaseTime } from '../store/database/clock.js';
import { Database } from '../store/database/database.js';
import { FeedPartitions } from '../store/feed/feed-partitions.js';
import { FrontEndQueries } from '../store/feed/front-ends.js';
import { History } from '../store/calls/history.js';
import { IdleCalls } from '../store/calls/idle-calls.js';
import { HourCounter } from '../store/statistics/counting/hour-counter.js';
import { StoreModule } from '../store/store.module.js';
import { CallSweeper } from './call-sweeper.js';
import { CallsChangedPublisher } from './calls-changed.js';
import { ClockWatch } from './clock-watch.js';
import { AnswersOfCollectors } from './collector-answers.js';
import { FeedMetrics } from './feed-metrics.js';
import { FeedReader } from './feed-reader.js';
import { HistoryMaintenance } from './history-maintenance.js';
import { LossWatch } from './loss-watch.js';
import { RejectedCounts } from './rejected-counts.js';
import { RunningServices } from './running-services.js';

/** From the bus into the database: records, time-outs, retention, and the state of collectors and losses. */
@Module({
  imports: [ContextModule, StoreModule],
  providers: [
    provideClass(FeedMetrics, Metrics),
    provideClass(CallsChangedPublisher, Bus, LOGGER),
    provideClass(ClockWatch, { bus: Bus, database: Database, metrics: FeedMetrics, logger: LOGGER }),
    provideClass(LossWatch, {
      bus: Bus,
      database: Database,
      store: CallStore,
      metrics: FeedMetrics,
      logger: LOGGER,
    }),
    provideClass(CallSweeper, {
      bus: Bus,
      store: CallStore,
      partitions: FeedPartitions,
      idleCalls: IdleCalls,
      changed: CallsChangedPublisher,
      metrics: FeedMetrics,
      logger: LOGGER,
      periodMs: fromSettings(({ timeoutSweepSeconds }) => timeoutSweepSeconds * 1_000),
      now: derived(Database, (database) => () => databaseTime(database)),
    }),
    provideClass(HistoryMaintenance, {
      history: History,
      database: Database,
      hours: HourCounter,
      days: fromSettings('historyDays'),
      logger: LOGGER,
    }),
    provideClass(FeedReader, {
      bus: Bus,
      database: Database,
      store: CallStore,
      partitions: FeedPartitions,
      queries: CallQueries,
      changed: CallsChangedPublisher,
      sweeper: CallSweeper,
      historyMaintenance: HistoryMaintenance,
      clocks: ClockWatch,
      losses: LossWatch,
      metrics: FeedMetrics,
      logger: LOGGER,
    }),
    provideClass(RejectedRecords, Bus),
    provideClass(RejectedCounts, RejectedRecords),
    provideClass(AnswersOfCollectors, Bus, LOGGER),
    provideClass(RunningServices, {
      bus: Bus,
      store: CallStore,
      partitions: FeedPartitions,
      losses: LossWatch,
      clocks: ClockWatch,
    }),
    provideClass(
      FrontEndQueries,
      Database,
      derived(ClockWatch, (clocks) => () => clocks.now()),
    ),
  ],
  exports: [
    FeedReader,
    ClockWatch,
    RejectedRecords,
    RejectedCounts,
    AnswersOfCollectors,
    RunningServices,
    FrontEndQueries,
  ],
})
export class FeedModule implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly reader: FeedReader,
    private readonly health: Health,
    private readonly bus: Bus,
    private readonly losses: LossWatch,
  ) {}

  onApplicationBootstrap(): void {
    this.health.add('database schema', () => this.reader.assertPrepared());
    // Calls can be queried without these.
    this.health.addLimiting('calls to store', () => this.reader.assertStores());
    this.health.addLimiting('records to read', () => assertStreamWorks(this.bus, RECORDS_STREAM));
    this.health.addLimiting('losses', () => this.losses.assertNoLoss());
    this.reader.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.reader.stop();
  }
}
