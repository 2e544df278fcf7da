import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Meetings } from '@ringdown/meetings';
import { Bus } from '@ringdown/nats';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import { LOGGER, type Logger } from '@ringdown/observability';
import { ContextModule } from '../context.module.js';
import { SETTINGS, type Settings } from '../settings.js';
import { IntrospectionController } from './introspection.controller.js';
import { SignInLimits } from './sign-in-limits.js';
import { TokenController } from './token.controller.js';
import { TokenService } from './token-service.js';
import { Tokens } from './tokens.js';

/** Token service and introspection; issues and stores all tokens. */
@Module({
  imports: [ContextModule],
  controllers: [TokenController, IntrospectionController],
  providers: [
    TokenService,
    { provide: Meetings, inject: [Bus], useFactory: (bus: Bus) => Meetings.open({ bus }) },
    {
      provide: SignInLimits,
      inject: [Bus, SETTINGS],
      useFactory: (bus: Bus, settings: Settings) => SignInLimits.open({ bus, settings }),
    },
    { provide: Tokens, inject: [Bus, SETTINGS, DIRECTORY, Meetings, LOGGER], useFactory: openTokens },
  ],
})
export class SignInModule implements OnApplicationShutdown {
  constructor(private readonly tokens: Tokens) {}

  onApplicationShutdown(): void {
    this.tokens.close();
  }
}

function openTokens(
  bus: Bus,
  settings: Settings,
  directory: Directory,
  meetings: Meetings,
  logger: Logger,
): Promise<Tokens> {
  const { vendorProfile, tokenLifetimeSeconds: lifetimeSeconds, guestTokenLifetimeSeconds } = settings;
  const lifetimes = { lifetimeSeconds, guestLifetimeSeconds: guestTokenLifetimeSeconds };
  return Tokens.open({ bus, directory, meetings, prefix: vendorProfile.web.tokenPrefix, ...lifetimes, logger });
}
