import { Module, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { Bus } from '@ringdown/nats';
import { LOGGER, Metrics } from '@ringdown/observability';
import { provideClass } from '@ringdown/service';
import { ContextModule, fromSettings } from '../context.module.js';
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

/** Messages of calls: from the bus into tables of their own, and back. */
@Module({
  imports: [ContextModule, StoreModule],
  providers: [
    provideClass(TraceDatabase, { url: fromSettings('databaseUrl'), logger: LOGGER }),
    provideClass(TraceMetrics, Metrics),
    provideClass(TraceStore, TraceDatabase),
    provideClass(TraceSegments, TraceDatabase),
    provideClass(TraceQueries, Database),
    provideClass(MessageViews, IdentityHiding),
    provideClass(LiveMessages, Bus),
    provideClass(TraceIntake, {
      bus: Bus,
      store: TraceStore,
      segments: TraceSegments,
      retention: fromSettings(({ traceDays: days, traceMaxBytes: maxBytes }) => ({ days, maxBytes })),
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
