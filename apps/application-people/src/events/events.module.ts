import { Module, type BeforeApplicationShutdown, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { LOGGER, Metrics, type Logger } from '@ringdown/observability';
import { TokenGuard } from '@ringdown/token-validation';
import { ContextModule } from '../context.module.js';
import { Sessions } from '../sessions/sessions.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SETTINGS, type Settings } from '../settings.js';
import { channelKey } from './channel-key.js';
import { ChannelStore } from './channel-store.js';
import { EventChannels } from './event-channels.js';
import { EventsController } from './events.controller.js';
import { POLL_RULES } from './poll.js';
import { PollsHeldController } from './polls-held.controller.js';
import { UserEvents } from './user-events.js';

/** The event channels of all sessions, and the polls that wait in them. */
@Module({
  imports: [ContextModule, SessionsModule],
  controllers: [EventsController, PollsHeldController],
  providers: [
    TokenGuard,
    UserEvents,
    { provide: ChannelStore, inject: [Bus], useFactory: (bus: Bus) => ChannelStore.open(bus) },
    { provide: EventChannels, inject: [ChannelStore, Bus, SETTINGS, LOGGER, Metrics], useFactory: channelsOn },
  ],
  exports: [EventChannels, UserEvents],
})
export class EventsModule implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    private readonly channels: EventChannels,
    private readonly sessions: Sessions,
  ) {}

  onModuleInit(): void {
    this.sessions.onEnd(async ({ application, instances }) => {
      for (const instance of instances) await this.channels.remove(channelKey(application.id, instance));
    });
  }

  /** Requests that wait for something get a response, so that the listener can close. */
  beforeApplicationShutdown(): void {
    this.channels.endPolls();
  }

  onApplicationShutdown(): Promise<void> {
    return this.channels.close();
  }
}

function channelsOn(
  store: ChannelStore,
  bus: Bus,
  { pollGapSeconds, maxWaitSeconds }: Settings,
  logger: Logger,
  metrics: Metrics,
): EventChannels {
  const gapMs = pollGapSeconds * 1000;
  const rules = { ...POLL_RULES, gapMs, resumeMs: (gapMs * 2) / 3, maxWaitSeconds };
  return new EventChannels({ store, bus, logger, metrics, rules });
}
