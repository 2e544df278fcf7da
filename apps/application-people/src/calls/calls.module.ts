import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ContextModule } from '../context.module.js';
import { PresenceModule } from '../presence/presence.module.js';
import { PresenceBucket } from '../presence-store/presence-bucket.js';
import { PresenceStoreModule } from '../presence-store/presence-store.module.js';
import { CallPresence } from './call-presence.js';

/** Shows people as busy while they are in a call. */
@Module({
  imports: [ContextModule, PresenceStoreModule, PresenceModule],
  providers: [CallPresence],
})
export class CallsModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly callPresence: CallPresence,
    private readonly bucket: PresenceBucket,
  ) {}

  onModuleInit(): void {
    void this.bucket.current.then(() => this.callPresence.checkAll());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.callPresence.close();
  }
}
