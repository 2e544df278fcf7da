import { Module, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { Bus } from '@ringdown/nats';
import { LOGGER, type Logger } from '@ringdown/observability';
import { ContextModule } from '../context.module.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { Database } from '../store/database/database.js';
import { StoreModule } from '../store/store.module.js';
import { SipFailureIntake } from './sip-failure-intake.js';
import { SipFailureQueries } from './sip-failure-queries.js';
import { SipFailureStore } from './sip-failure-store.js';

/** Holds the connection that writes failed SIP requests: those of records never wait for it. */
class SipFailureDatabase extends Database {}

/** Failed SIP requests outside of calls: from the bus into a table, and back (ADR 0061). */
@Module({
  imports: [ContextModule, StoreModule],
  providers: [
    {
      provide: SipFailureDatabase,
      inject: [SETTINGS, LOGGER],
      useFactory: ({ databaseUrl: url }: Settings, logger: Logger) =>
        new SipFailureDatabase({ url, poolSize: 1, logger }),
    },
    {
      provide: SipFailureIntake,
      inject: [Bus, SipFailureDatabase, SETTINGS, LOGGER],
      useFactory: (bus: Bus, database: Database, { sipFailureDays: days }: Settings, logger: Logger) =>
        new SipFailureIntake({ bus, store: new SipFailureStore(database), days, logger }),
    },
    {
      provide: SipFailureQueries,
      inject: [Database, IdentityHiding],
      useFactory: (database: Database, hiding: IdentityHiding) => new SipFailureQueries(database, hiding),
    },
  ],
  exports: [SipFailureQueries],
})
export class SipFailuresModule implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  constructor(
    private readonly intake: SipFailureIntake,
    private readonly database: SipFailureDatabase,
  ) {}

  onApplicationBootstrap(): void {
    this.intake.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.intake.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
