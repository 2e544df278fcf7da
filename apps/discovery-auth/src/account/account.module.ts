import { Module } from '@nestjs/common';
import { readPasswordRules, type PasswordRules } from '@ringdown/directory';
import { AuditModule } from '../audit/audit.module.js';
import { ContextModule } from '../context.module.js';
import { SETTINGS, type Settings } from '../settings.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { AccountController } from './account.controller.js';
import { OwnPassword, PASSWORD_RULES } from './own-password.js';

/** Password and sessions of the person who is signed in. */
@Module({
  imports: [ContextModule, SignInModule, AuditModule],
  controllers: [AccountController],
  providers: [
    OwnPassword,
    {
      provide: PASSWORD_RULES,
      inject: [SETTINGS],
      useFactory: (settings: Settings): Promise<PasswordRules> => readPasswordRules(settings),
    },
  ],
})
export class AccountModule {}
