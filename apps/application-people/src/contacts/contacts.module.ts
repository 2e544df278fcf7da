import { Module, type OnModuleInit } from '@nestjs/common';
import { ContactLists } from '../contact-lists/contact-lists.js';
import { ContactListsModule } from '../contact-lists/contact-lists.module.js';
import { ContextModule } from '../context.module.js';
import { EventsModule } from '../events/events.module.js';
import { UserEvents } from '../events/user-events.js';
import { PeopleModule } from '../people/people.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { ContactListEvents } from './contact-list-events.js';
import { ContactListResources } from './contact-list-resources.js';
import { ContactsController } from './contacts.controller.js';
import { GroupsController } from './groups.controller.js';

/** The contacts of a user and their groups, and the events about them. */
@Module({
  imports: [ContextModule, SessionsModule, EventsModule, ContactListsModule, SubscriptionsModule, PeopleModule],
  controllers: [ContactsController, GroupsController],
  providers: [ContactListEvents, ContactListResources],
})
export class ContactsModule implements OnModuleInit {
  constructor(
    private readonly lists: ContactLists,
    private readonly events: ContactListEvents,
    private readonly userEvents: UserEvents,
  ) {}

  /** Registered after the subscriptions: sessions are notified in this order. */
  onModuleInit(): void {
    this.lists.onChange(({ owner, ...change }) =>
      this.userEvents.send(owner.username, (id) => this.events.of(id, change)),
    );
  }
}
