import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ContextModule } from '../context.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { PeopleAdministration } from './people-administration.js';
import { PeopleController } from './people.controller.js';
import { PersonSignInController } from './person-sign-in.controller.js';

/** People, their passwords and sessions, for administrators. */
@Module({
  imports: [ContextModule, SignInModule, AuditModule],
  controllers: [PeopleController, PersonSignInController],
  providers: [PeopleAdministration],
})
export class AdministrationModule {}
