import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { LOGGER, Metrics, type Logger } from '@ringdown/observability';
import { announce } from '@ringdown/service';
import { AlertsModule } from './http/alerts/alerts.module.js';
import { ApiModule } from './http/api.module.js';
import { ContextModule } from './context.module.js';
import { FeedModule } from './feed/feed.module.js';
import { RejectionsModule } from './rejections/rejections.module.js';
import { FeedReader } from './feed/feed-reader.js';

/** The counts that operators see for each replica. */
const COUNTS = {
  folded: { metric: 'aggregator_records_total', where: { outcome: 'folded' } },
  duplicates: { metric: 'aggregator_records_total', where: { outcome: 'duplicate' } },
  setAside: { metric: 'aggregator_records_total', where: { outcome: 'set_aside' } },
  liveReaders: { metric: 'live_readers' },
};

@Module({ imports: [ContextModule, FeedModule, ApiModule, AlertsModule, RejectionsModule] })
export class AggregatorModule implements OnApplicationBootstrap {
  constructor(
    private readonly bus: Bus,
    private readonly reader: FeedReader,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    const { bus, logger, metrics, reader } = this;
    announce({ bus, logger, metrics }, { service: 'aggregator', counts: COUNTS, partitions: () => reader.partitions });
  }
}
