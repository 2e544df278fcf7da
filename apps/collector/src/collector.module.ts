import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { RecordPublisher } from '@ringdown/feed-bus';
import { RECORDS_STREAM } from '@ringdown/contracts/records';
import { Bus } from '@ringdown/nats';
import { assertStreamComplete, assertStreamWorks } from '@ringdown/nats/streams';
import { Health, LOGGER, Metrics, type Logger } from '@ringdown/observability';
import { announce } from '@ringdown/service';
import { IngressModule } from './ingress/ingress.module.js';

/** The counts that operators see for each collector. */
const COUNTS = {
  accepted: { metric: 'collector_records_total' },
  rejected: { metric: 'collector_refused_total' },
  unavailable: { metric: 'collector_unavailable_total' },
  frontEnds: { metric: 'collector_front_ends' },
  frontEndsOverLimit: { metric: 'collector_refused_total', where: { code: 'too-many-front-ends' } },
  frontEndsNotAllowed: { metric: 'collector_refused_total', where: { code: 'front-end-not-allowed' } },
  connectionsDropped: { metric: 'collector_connections_dropped_total' },
};

@Module({ imports: [IngressModule] })
export class CollectorModule implements OnApplicationBootstrap {
  constructor(
    private readonly bus: Bus,
    private readonly publisher: RecordPublisher,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly health: Health,
  ) {}

  onApplicationBootstrap(): void {
    const { bus, logger, metrics, publisher, health } = this;
    health.add('records', () => assertStreamWorks(bus, RECORDS_STREAM));
    health.add('records to store', () => publisher.assertStores());
    if (bus.connection.info?.cluster !== undefined) {
      health.addLimiting('copies of records', () => assertStreamComplete(bus, RECORDS_STREAM));
    }
    announce({ bus, logger, metrics }, { service: 'collector', counts: COUNTS, accepted: () => publisher.accepted });
  }
}
