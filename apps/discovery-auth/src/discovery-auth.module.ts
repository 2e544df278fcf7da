import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { assertStreamWorks } from '@ringdown/nats/streams';
import { Health, LOGGER, Metrics, type Logger } from '@ringdown/observability';
import { announce } from '@ringdown/service';
import { AccountModule } from './account/account.module.js';
import { AdministrationModule } from './administration/administration.module.js';
import { AuditModule } from './audit/audit.module.js';
import { ContextModule } from './context.module.js';
import { DiscoveryModule } from './discovery/discovery.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';

@Module({ imports: [ContextModule, DiscoveryModule, SignInModule, AccountModule, AdministrationModule, AuditModule] })
export class DiscoveryAuthModule implements OnApplicationBootstrap {
  constructor(
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly health: Health,
  ) {}

  onApplicationBootstrap(): void {
    this.health.add('tokens', () => assertStreamWorks(this.bus, 'KV_TOKENS'));
    announce({ bus: this.bus, logger: this.logger, metrics: this.metrics }, { service: 'discovery-auth' });
  }
}
