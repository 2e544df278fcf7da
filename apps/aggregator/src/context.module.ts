import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { PublicOrigins } from '@ringdown/web-server';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { LOGGER, type Logger } from '@ringdown/observability';
import { derivedFrom, provideClass, serviceProviders, type DerivedFrom } from '@ringdown/service';
import { tokenProviders, TokenValidator, WEB_NAMES } from '@ringdown/token-validation';
import { randomBytes } from 'node:crypto';
import { Sites } from './search/sites/sites.js';
import { SETTINGS, type Settings } from './settings/settings.js';

/** Gives a provider one of the settings, or what a function makes of them. */
export const fromSettings: DerivedFrom<Settings> = derivedFrom(SETTINGS);

/** What all modules of the service depend on: settings, bus, token validation, sites, and hiding of users. */
@Module({
  providers: [
    ...serviceProviders('aggregator', SETTINGS),
    ...tokenProviders(SETTINGS),
    provideClass(Sites, fromSettings('sitesFile'), LOGGER),
    { provide: IdentityHiding, inject: [SETTINGS, LOGGER], useFactory: hidingWith },
  ],
  exports: [SETTINGS, Bus, WEB_NAMES, PublicOrigins, TokenValidator, Sites, IdentityHiding],
})
export class ContextModule implements OnApplicationShutdown {
  constructor(
    private readonly validator: TokenValidator,
    private readonly sites: Sites,
  ) {}

  onApplicationShutdown(): void {
    this.sites.close();
    this.validator.close();
  }
}

/** Without a seed users are hidden as well, but no one can find out whether two responses are about the same users. */
function hidingWith({ identitySeed: seed }: Settings, logger: Logger): IdentityHiding {
  if (seed === undefined)
    logger.info(
      'IDENTITY_SEED is not set: users are hidden behind other tokens after each start, and not found by them',
    );
  return new IdentityHiding(seed ?? randomBytes(24).toString('hex'));
}
