import { Module, type OnModuleInit } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { ContactLists } from '../contact-lists/contact-lists.js';
import { ContactListsModule } from '../contact-lists/contact-lists.module.js';
import { ContextModule } from '../context.module.js';
import { EventsModule } from '../events/events.module.js';
import { UserEvents } from '../events/user-events.js';
import { PeopleModule } from '../people/people.module.js';
import { Sessions } from '../sessions/sessions.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { ContactListEvents } from './contact-list-events.js';
import { ContactListResources } from './contact-list-resources.js';
import { ContactsSubscriptionController } from './contacts-subscription.controller.js';
import { ContactsSubscriptions } from './contacts-subscriptions.js';
import { ContactsController } from './contacts.controller.js';
import { GroupsController } from './groups.controller.js';

/** The contacts of a user and their groups, and the events about them. */
@Module({
  imports: [ContextModule, SessionsModule, EventsModule, ContactListsModule, SubscriptionsModule, PeopleModule],
  controllers: [ContactsController, GroupsController, ContactsSubscriptionController],
  providers: [
    ContactListEvents,
    ContactListResources,
    {
      provide: ContactsSubscriptions,
      inject: [Bus],
      useFactory: (bus: Bus) => ContactsSubscriptions.open(bus),
    },
  ],
})
export class ContactsModule implements OnModuleInit {
  constructor(
    private readonly lists: ContactLists,
    private readonly events: ContactListEvents,
    private readonly userEvents: UserEvents,
    private readonly subscriptions: ContactsSubscriptions,
    private readonly sessions: Sessions,
  ) {}

  /** Registered after the subscriptions: sessions are notified in this order. */
  onModuleInit(): void {
    this.sessions.onEnd(async ({ application, whole }) => {
      if (whole) await this.subscriptions.delete(application.id);
    });
    this.lists.onChange(({ owner, ...change }) =>
      this.userEvents.send(owner.username, async (id) =>
        (await this.subscriptions.stateOf(id)) === 'stopped' ? [] : this.events.of(id, change),
      ),
    );
  }
}
