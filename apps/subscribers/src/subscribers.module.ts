import {
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type FactoryProvider,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { RECORDS_STREAM } from '@ringdown/contracts/records';
import { Bus } from '@ringdown/nats';
import { assertStreamWorks } from '@ringdown/nats/streams';
import { Health, LOGGER, Metrics, type Logger } from '@ringdown/observability';
import { announce, serviceProviders } from '@ringdown/service';
import { openSubscribers } from './open-subscribers.js';
import { SETTINGS, type Settings } from './settings.js';
import type { Subscriber } from './subscriber.js';

/** Totals over all subscribers, for operators. */
const COUNTS = {
  delivered: { metric: 'subscriber_delivered_total' },
  dropped: { metric: 'subscriber_dropped_total' },
  retried: { metric: 'subscriber_retries_total' },
  waiting: { metric: 'subscriber_waiting' },
  failing: { metric: 'subscriber_failing' },
};

const SUBSCRIBERS = Symbol('subscribers');

const subscribers: FactoryProvider<readonly Subscriber[]> = {
  provide: SUBSCRIBERS,
  inject: [SETTINGS, Bus, LOGGER, Metrics],
  useFactory: (settings: Settings, bus: Bus, logger: Logger, metrics: Metrics) =>
    openSubscribers(settings, { bus, logger, metrics }),
};

@Module({ providers: [...serviceProviders('subscribers', SETTINGS), subscribers] })
export class SubscribersModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    @Inject(SUBSCRIBERS) private readonly subscribers: readonly Subscriber[],
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly health: Health,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.subscribers.length === 0) return;
    for (const stream of new Set(this.subscribers.map((each) => each.stream))) {
      // In one process with the others, records are accepted nevertheless.
      const content = stream === RECORDS_STREAM ? 'records' : 'calls';
      this.health.addLimiting(`${content} to send`, () => assertStreamWorks(this.bus, stream));
    }
    await Promise.all(this.subscribers.map((subscriber) => subscriber.start()));
    announce({ bus: this.bus, logger: this.logger, metrics: this.metrics }, { service: 'subscribers', counts: COUNTS });
    this.logger.info(
      { subscribers: this.subscribers.map(({ name }) => name) },
      'sending records and calls to subscribers',
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.subscribers.map((subscriber) => subscriber.stop()));
  }
}
