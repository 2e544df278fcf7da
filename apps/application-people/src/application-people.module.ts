import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { assertStreamWorks } from '@ringdown/nats/streams';
import { Health, LOGGER, Metrics, type Logger } from '@ringdown/observability';
import { announce } from '@ringdown/service';
import { ApplicationsModule } from './applications/applications.module.js';
import { UnservedController } from './applications/unserved.controller.js';
import { BatchModule } from './batch/batch.module.js';
import { CallsModule } from './calls/calls.module.js';
import { ContactsModule } from './contacts/contacts.module.js';
import { ContextModule } from './context.module.js';
import { MessagingModule } from './messaging/messaging.module.js';
import { PrivacyModule } from './privacy/privacy.module.js';
import { FormerNamesModule } from './former-names/former-names.module.js';

/** The top-level modules; every other module is imported by the modules that need it. */
@Module({
  imports: [
    ContextModule,
    ApplicationsModule,
    ContactsModule,
    MessagingModule,
    CallsModule,
    BatchModule,
    PrivacyModule,
    FormerNamesModule,
  ],
  controllers: [UnservedController],
})
export class ApplicationPeopleModule implements OnApplicationBootstrap {
  constructor(
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly health: Health,
  ) {}

  onApplicationBootstrap(): void {
    this.health.add('sessions', () => assertStreamWorks(this.bus, 'KV_APPLICATIONS'));
    announce({ bus: this.bus, logger: this.logger, metrics: this.metrics }, { service: 'application-people' });
  }
}
