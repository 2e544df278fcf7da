import { Module, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { Bus } from '@ringdown/nats';
import { LOGGER } from '@ringdown/observability';
import { provideClass } from '@ringdown/service';
import { ContextModule, fromSettings } from '../context.module.js';
import { Database } from '../store/database/database.js';
import { StoreModule } from '../store/store.module.js';
import { FailingPeerQueries } from './failing-peers.js';
import { SipFailureIntake } from './sip-failure-intake.js';
import { SipFailureQueries } from './sip-failure-queries.js';
import { SipFailureStore } from './sip-failure-store.js';

/** Holds the connection that writes failed SIP requests: those of records never wait for it. */
class SipFailureDatabase extends Database {}

/** Failed SIP requests outside of calls: from the bus into a table, and back (ADR 0061). */
@Module({
  imports: [ContextModule, StoreModule],
  providers: [
    provideClass(SipFailureDatabase, { url: fromSettings('databaseUrl'), logger: LOGGER }),
    provideClass(SipFailureStore, SipFailureDatabase),
    provideClass(SipFailureIntake, {
      bus: Bus,
      store: SipFailureStore,
      days: fromSettings('sipFailureDays'),
      logger: LOGGER,
    }),
    provideClass(SipFailureQueries, Database, IdentityHiding),
    provideClass(FailingPeerQueries, Database, IdentityHiding),
  ],
  exports: [SipFailureQueries, FailingPeerQueries],
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
