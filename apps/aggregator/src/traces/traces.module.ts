import { Module, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { Bus } from '@ringdown/nats';
import { LOGGER, Metrics, type Logger } from '@ringdown/observability';
import { provideClass } from '@ringdown/service';
import { ContextModule } from '../context.module.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { Database } from '../store/database/database.js';
import { StoreModule } from '../store/store.module.js';
import { LiveMessages } from './live-messages.js';
import { MessageViews } from './message-views.js';
import { TraceIntake } from './trace-intake.js';
import { TraceMetrics } from './trace-metrics.js';
import { TraceQueries } from './trace-queries.js';
import { TraceSegments } from './trace-segments.js';
import { TraceStore } from './trace-store.js';

/** Holds the connection that writes messages of calls: those of records never wait for it. */
class TraceDatabase extends Database {}
/** Injects a {@link TraceRetention}. */
const RETENTION = Symbol('retention of messages');

/** Messages of calls: from the bus into tables of their own, and back. */
@Module({
  imports: [ContextModule, StoreModule],
  providers: [
    {
      provide: TraceDatabase,
      inject: [SETTINGS, LOGGER],
      useFactory: ({ databaseUrl: url }: Settings, logger: Logger) => new TraceDatabase({ url, poolSize: 1, logger }),
    },
    {
      provide: RETENTION,
      inject: [SETTINGS],
      useFactory: ({ traceDays: days, traceMaxBytes: maxBytes }: Settings) => ({ days, maxBytes }),
    },
    { provide: TraceMetrics, inject: [Metrics], useFactory: (metrics: Metrics) => new TraceMetrics(metrics) },
    { provide: TraceStore, inject: [TraceDatabase], useFactory: (database: Database) => new TraceStore(database) },
    {
      provide: TraceSegments,
      inject: [TraceDatabase],
      useFactory: (database: Database) => new TraceSegments(database),
    },
    { provide: TraceQueries, inject: [Database], useFactory: (database: Database) => new TraceQueries(database) },
    {
      provide: MessageViews,
      inject: [IdentityHiding],
      useFactory: (hiding: IdentityHiding) => new MessageViews(hiding),
    },
    { provide: LiveMessages, inject: [Bus], useFactory: (bus: Bus) => new LiveMessages(bus) },
    provideClass(TraceIntake, {
      bus: Bus,
      store: TraceStore,
      segments: TraceSegments,
      retention: RETENTION,
      metrics: TraceMetrics,
      logger: LOGGER,
    }),
  ],
  exports: [TraceQueries, MessageViews, LiveMessages],
})
export class TracesModule implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  constructor(
    private readonly intake: TraceIntake,
    private readonly live: LiveMessages,
    private readonly database: TraceDatabase,
  ) {}

  onApplicationBootstrap(): void {
    this.intake.start();
  }

  async onModuleDestroy(): Promise<void> {
    // Open streams would keep the listener from closing.
    this.live.close();
    await this.intake.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
