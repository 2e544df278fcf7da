import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { PublicOrigins } from '@ringdown/web-server';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { LOGGER, type Logger } from '@ringdown/observability';
import { serviceProviders } from '@ringdown/service';
import { tokenProviders, TokenValidator, WEB_NAMES } from '@ringdown/token-validation';
import { randomBytes } from 'node:crypto';
import { SETTINGS, type Settings } from './settings.js';

/** Injects milliseconds: how long the processing of one record, or the hiding for one answer, may take. */
export const LIMIT_MS = Symbol('processing limit');

/** What all modules of the service stand on: settings, bus, what checks tokens, and what hides users. */
@Module({
  providers: [
    ...serviceProviders('aggregator', SETTINGS),
    ...tokenProviders(SETTINGS),
    { provide: LIMIT_MS, inject: [SETTINGS], useFactory: (settings: Settings) => settings.processingLimitMs },
    { provide: IdentityHiding, inject: [SETTINGS, LOGGER], useFactory: hidingWith },
  ],
  exports: [SETTINGS, Bus, WEB_NAMES, PublicOrigins, TokenValidator, LIMIT_MS, IdentityHiding],
})
export class ContextModule implements OnApplicationShutdown {
  constructor(private readonly validator: TokenValidator) {}

  onApplicationShutdown(): void {
    this.validator.close();
  }
}

/** Without a seed users are hidden all the same, but no one can tell whether two answers are about the same ones. */
function hidingWith({ identitySeed: seed }: Settings, logger: Logger): IdentityHiding {
  if (seed === undefined)
    logger.info(
      'IDENTITY_SEED is not set: users are hidden behind other tokens after each start, and not found by them',
    );
  return new IdentityHiding(seed ?? randomBytes(24).toString('hex'));
}
