import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import { membersIfAny } from '../contact-lists/contact-list.js';
import { ContactLists } from '../contact-lists/contact-lists.js';
import { ContactListsModule } from '../contact-lists/contact-lists.module.js';
import { ContextModule } from '../context.module.js';
import { EventsModule } from '../events/events.module.js';
import { PresenceModule } from '../presence/presence.module.js';
import { PresenceStoreModule } from '../presence-store/presence-store.module.js';
import { endApplication } from '../presence-store/watch-list.js';
import { Sessions } from '../sessions/sessions.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SubscriptionEvents } from './subscription-events.js';
import { SubscriptionResources } from './subscription-resources.js';
import { Subscriptions } from './subscriptions.js';
import { SubscriptionsController } from './subscriptions.controller.js';

/** Subscriptions of sessions to the presence of others. */
@Module({
  imports: [ContextModule, SessionsModule, EventsModule, PresenceStoreModule, PresenceModule, ContactListsModule],
  controllers: [SubscriptionsController],
  providers: [SubscriptionEvents, SubscriptionResources, Subscriptions],
  exports: [SubscriptionResources],
})
export class SubscriptionsModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly sessions: Sessions,
    private readonly contactLists: ContactLists,
    @Inject(DIRECTORY) private readonly directory: Directory,
  ) {}

  onModuleInit(): void {
    this.sessions.onEnd(async ({ application: { id, username }, whole }) => {
      if (!whole || this.directory.people.withUsername(username) === undefined) return;
      await this.subscriptions.change(username, endApplication(id));
    });
    this.contactLists.onChange(({ owner, after }) =>
      this.subscriptions.followGroups(owner.username, (groupId) => membersIfAny(after, groupId)),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.subscriptions.close();
  }
}
