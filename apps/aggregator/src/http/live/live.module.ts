import { Module, type OnModuleDestroy } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { LOGGER, Metrics } from '@ringdown/observability';
import { provideClass } from '@ringdown/service';
import { CapturesModule } from '../../captures/captures.module.js';
import { ContextModule, fromSettings } from '../../context.module.js';
import { Sites } from '../../search/sites/sites.js';
import { CallQueries } from '../../store/calls/call-queries.js';
import { StoreModule } from '../../store/store.module.js';
import { CallsInProgressController } from './calls-in-progress.controller.js';
import { LiveMetrics } from '../../live/live-metrics.js';
import { LiveReaders } from '../../live/live-readers.js';
import { ReadersController } from './readers.controller.js';
import { UploadsCheckController } from './uploads-check.controller.js';

/** Publishes calls as they change: to readers of the live stream, and to other services. */
@Module({
  imports: [ContextModule, StoreModule, CapturesModule],
  controllers: [CallsInProgressController, ReadersController, UploadsCheckController],
  providers: [
    provideClass(LiveReaders, {
      bus: Bus,
      queries: CallQueries,
      hiding: IdentityHiding,
      sites: Sites,
      limitMs: fromSettings('processingLimitMs'),
      metrics: Metrics,
      logger: LOGGER,
    }),
    provideClass(LiveMetrics, LiveReaders),
  ],
  exports: [LiveReaders, LiveMetrics],
})
export class LiveModule implements OnModuleDestroy {
  constructor(
    private readonly liveReaders: LiveReaders,
    private readonly liveMetrics: LiveMetrics,
  ) {}

  /** Open streams would keep the listener from closing. */
  async onModuleDestroy(): Promise<void> {
    this.liveMetrics.close();
    await this.liveReaders.close();
  }
}
