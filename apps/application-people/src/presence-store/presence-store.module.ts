import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { LOGGER, type Logger } from '@ringdown/observability';
import { ContextModule } from '../context.module.js';
import { PresenceBucket } from './presence-bucket.js';
import { PresenceStore } from './presence-store.js';
import { WatchLists } from './watch-lists.js';

/** The presence of people and their watchers, as the bus stores it, with a copy in the memory of this replica. */
@Module({
  imports: [ContextModule],
  providers: [
    PresenceStore,
    WatchLists,
    {
      provide: PresenceBucket,
      inject: [Bus, LOGGER],
      useFactory: (bus: Bus, logger: Logger) => PresenceBucket.open(bus, logger),
    },
  ],
  exports: [PresenceBucket, PresenceStore, WatchLists],
})
export class PresenceStoreModule implements OnModuleInit, OnApplicationShutdown {
  private unsubscribe: () => void = () => undefined;

  constructor(
    private readonly bucket: PresenceBucket,
    private readonly store: PresenceStore,
    private readonly watchLists: WatchLists,
  ) {}

  onModuleInit(): void {
    this.unsubscribe = this.bucket.follow({
      onPresence: (key, record) => this.store.apply(key, record),
      onWatchList: (key, list) => this.watchLists.apply(key, list),
    });
  }

  onApplicationShutdown(): void {
    this.unsubscribe();
  }
}
