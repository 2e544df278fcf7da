import { Module } from '@nestjs/common';
import { CurrentRules } from '@ringdown/directory/passwords';
import { LOGGER, type Logger } from '@ringdown/observability';
import { AuditModule } from '../audit/audit.module.js';
import { ContextModule } from '../context.module.js';
import { SETTINGS, type Settings } from '../settings.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { AccountController } from './account.controller.js';
import { OwnPassword } from './own-password.js';

/** Password and sessions of the person who is signed in. */
@Module({
  imports: [ContextModule, SignInModule, AuditModule],
  controllers: [AccountController],
  providers: [
    OwnPassword,
    {
      provide: CurrentRules,
      inject: [SETTINGS, LOGGER],
      useFactory: (settings: Settings, logger: Logger) => CurrentRules.open(settings, logger),
    },
  ],
})
export class AccountModule {}
