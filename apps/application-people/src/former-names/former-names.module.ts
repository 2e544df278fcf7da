import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ContactListsModule } from '../contact-lists/contact-lists.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { ContextModule } from '../context.module.js';
import { EventsModule } from '../events/events.module.js';
import { MessagingModule } from '../messaging/messaging.module.js';
import { OnlineMeetingsModule } from '../online-meetings/online-meetings.module.js';
import { PersonalSettingsModule } from '../personal-settings/personal-settings.module.js';
import { PresenceModule } from '../presence/presence.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { PersonalData } from './personal-data.js';
import { RemovedPeople } from './removed-people.js';
import { RenamedPeople } from './renamed-people.js';

/**
 * What people have stored, after they were renamed or removed. Begins after the contacts, which announce what it changes,
 * and after all modules that have something of an application, which ends.
 */
@Module({
  imports: [
    ContextModule,
    ContactListsModule,
    ContactsModule,
    PersonalSettingsModule,
    OnlineMeetingsModule,
    PresenceModule,
    SessionsModule,
    EventsModule,
    MessagingModule,
    SubscriptionsModule,
  ],
  providers: [PersonalData, RenamedPeople, RemovedPeople],
})
export class FormerNamesModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly renamed: RenamedPeople,
    private readonly removed: RemovedPeople,
  ) {}

  /** Before requests are answered, so that a renamed person does not find an empty contact list, nor a new one that of another. */
  async onModuleInit(): Promise<void> {
    await this.renamed.move();
    await this.removed.delete();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.renamed.close();
    await this.removed.close();
  }
}
