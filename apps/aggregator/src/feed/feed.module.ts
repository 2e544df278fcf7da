import { Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { RejectedRecords } from '@ringdown/feed-bus';
import { RECORDS_STREAM } from '@ringdown/contracts/records';
import { Bus } from '@ringdown/nats';
import { assertStreamWorks } from '@ringdown/nats/streams';
import { Health, LOGGER, Metrics, type Logger } from '@ringdown/observability';
import { provideClass } from '@ringdown/service';
import { ContextModule } from '../context.module.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { CallQueries } from '../store/calls/call-queries.js';
import { CallStore } from '../store/calls/call-store.js';
import { databaseTime } from '../store/database/clock.js';
import { Database } from '../store/database/database.js';
import { FeedPartitions } from '../store/feed/feed-partitions.js';
import { FrontEndQueries } from '../store/feed/front-ends.js';
import { History } from '../store/calls/history.js';
import { IdleCalls } from '../store/calls/idle-calls.js';
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
    { provide: FeedMetrics, inject: [Metrics], useFactory: (metrics: Metrics) => new FeedMetrics(metrics) },
    {
      provide: CallsChangedPublisher,
      inject: [Bus, LOGGER],
      useFactory: (bus: Bus, logger: Logger) => new CallsChangedPublisher(bus, logger),
    },
    provideClass(ClockWatch, { bus: Bus, database: Database, metrics: FeedMetrics, logger: LOGGER }),
    provideClass(LossWatch, {
      bus: Bus,
      database: Database,
      store: CallStore,
      metrics: FeedMetrics,
      logger: LOGGER,
    }),
    {
      provide: CallSweeper,
      inject: [
        Bus,
        Database,
        CallStore,
        FeedPartitions,
        IdleCalls,
        CallsChangedPublisher,
        FeedMetrics,
        LOGGER,
        SETTINGS,
      ],
      useFactory: sweeperOf,
    },
    {
      provide: HistoryMaintenance,
      inject: [History, Database, SETTINGS, LOGGER],
      useFactory: (history: History, database: Database, { historyDays: days }: Settings, logger: Logger) =>
        new HistoryMaintenance({ history, database, days, logger }),
    },
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
    { provide: RejectedRecords, inject: [Bus], useFactory: (bus: Bus) => new RejectedRecords(bus) },
    {
      provide: RejectedCounts,
      inject: [RejectedRecords],
      useFactory: (rejected: RejectedRecords) => new RejectedCounts(rejected),
    },
    {
      provide: AnswersOfCollectors,
      inject: [Bus, LOGGER],
      useFactory: (bus: Bus, logger: Logger) => new AnswersOfCollectors(bus, logger),
    },
    provideClass(RunningServices, {
      bus: Bus,
      store: CallStore,
      partitions: FeedPartitions,
      losses: LossWatch,
      clocks: ClockWatch,
    }),
    {
      provide: FrontEndQueries,
      inject: [Database, ClockWatch],
      useFactory: (database: Database, clocks: ClockWatch) => new FrontEndQueries(database, () => clocks.now()),
    },
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

function sweeperOf(
  bus: Bus,
  database: Database,
  store: CallStore,
  partitions: FeedPartitions,
  idleCalls: IdleCalls,
  changed: CallsChangedPublisher,
  metrics: FeedMetrics,
  logger: Logger,
  { timeoutSweepSeconds }: Settings,
): CallSweeper {
  const times = { periodMs: timeoutSweepSeconds * 1_000, now: () => databaseTime(database) };
  return new CallSweeper({ bus, store, partitions, idleCalls, changed, metrics, logger, ...times });
}
