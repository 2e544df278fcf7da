import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ContactListsModule } from '../contact-lists/contact-lists.module.js';
import { ContextModule } from '../context.module.js';
import { OnlineMeetingsModule } from '../online-meetings/online-meetings.module.js';
import { PersonalSettingsModule } from '../personal-settings/personal-settings.module.js';
import { PresenceModule } from '../presence/presence.module.js';
import { RenamedPeople } from './renamed-people.js';

/** What people have stored, after they were renamed. */
@Module({
  imports: [ContextModule, ContactListsModule, PersonalSettingsModule, OnlineMeetingsModule, PresenceModule],
  providers: [RenamedPeople],
})
export class RenamedPeopleModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly renamed: RenamedPeople) {}

  /** Before requests are answered, so that nobody finds the own contact list empty. */
  onModuleInit(): Promise<void> {
    return this.renamed.move();
  }

  onApplicationShutdown(): Promise<void> {
    return this.renamed.close();
  }
}
