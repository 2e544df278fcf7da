import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { LOGGER, type Logger } from '@ringdown/observability';
import { CommunicationModule } from '../communication/communication.module.js';
import { ContextModule } from '../context.module.js';
import { EventsModule } from '../events/events.module.js';
import { OnlineMeetingsModule } from '../online-meetings/online-meetings.module.js';
import { PersonalSettingsModule } from '../personal-settings/personal-settings.module.js';
import { PresenceModule } from '../presence/presence.module.js';
import { ReadableContacts } from '../readable-contacts/readable-contacts.js';
import { ReadableContactsModule } from '../readable-contacts/readable-contacts.module.js';
import { Sessions } from '../sessions/sessions.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SETTINGS, type Settings } from '../settings.js';
import { CommunicationController, MESSAGE_BOUNDS } from './communication.controller.js';
import { Communications } from './communications.js';
import type { MessagingRules } from './conversations/conversation.js';
import { ConversationLookup } from './conversations/conversation-lookup.js';
import { ConversationResources } from './conversations/conversation-resources.js';
import { ConversationSteps } from './conversations/conversation-steps.js';
import { ConversationStore } from './conversations/conversation-store.js';
import { ConversationsController } from './conversations/conversations.controller.js';
import { Deadlines } from './deadlines.js';
import { Deliveries } from './deliveries.js';
import { Destinations } from './destinations.js';
import { GuestInvitations } from './guests/guest-invitations.js';
import { InvitationAllowances } from './guests/invitation-allowances.js';
import { Invitations } from './invitations.js';
import { MeetingGuests } from './guests/meeting-guests.js';
import { MessageStore } from './message-store.js';
import { Messaging } from './messaging.js';
import { MessagingController } from './messaging.controller.js';
import { noticeEvents } from './messaging-events.js';
import { Overdue } from './overdue.js';
import { OwnConversations } from './conversations/own-conversations.js';
import { messagingRules, RULES } from './rules.js';

/** Messages between people, including what has to happen after a timeout. */
@Module({
  imports: [
    ContextModule,
    SessionsModule,
    EventsModule,
    PresenceModule,
    CommunicationModule,
    PersonalSettingsModule,
    OnlineMeetingsModule,
    ReadableContactsModule,
  ],
  controllers: [CommunicationController, ConversationsController, MessagingController],
  providers: [
    Communications,
    ConversationLookup,
    ConversationResources,
    ConversationSteps,
    Deliveries,
    Destinations,
    Invitations,
    MeetingGuests,
    Messaging,
    Overdue,
    { provide: RULES, inject: [SETTINGS], useFactory: messagingRules },
    {
      provide: MESSAGE_BOUNDS,
      inject: [SETTINGS],
      useFactory: ({ messageMaxBytes: maxBytes }: Settings) => ({ maxBytes }),
    },
    { provide: ConversationStore, inject: [Bus, RULES, ConversationResources], useFactory: openStore },
    {
      provide: OwnConversations,
      inject: [Bus, SETTINGS],
      useFactory: (bus: Bus, { conversationsPerApplication: limit }: Settings) => OwnConversations.open({ bus, limit }),
    },
    { provide: GuestInvitations, inject: [Bus], useFactory: (bus: Bus) => GuestInvitations.open({ bus }) },
    { provide: InvitationAllowances, inject: [Bus], useFactory: (bus: Bus) => InvitationAllowances.open({ bus }) },
    { provide: MessageStore, inject: [Bus], useFactory: (bus: Bus) => MessageStore.open(bus) },
    { provide: Deadlines, inject: [ConversationStore, Overdue, LOGGER], useFactory: deadlinesOf },
  ],
})
export class MessagingModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly messaging: Messaging,
    private readonly deadlines: Deadlines,
    private readonly sessions: Sessions,
    private readonly lookup: ConversationLookup,
    private readonly contacts: ReadableContacts,
  ) {}

  onModuleInit(): void {
    this.contacts.register((application) => this.lookup.acquaintancesOf(application));
    this.sessions.onEnd(async ({ application, whole }) => {
      if (whole) await this.messaging.applicationEnded(application.id);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.deadlines.close();
    await this.messaging.close();
  }
}

function openStore(bus: Bus, rules: MessagingRules, resources: ConversationResources): Promise<ConversationStore> {
  return ConversationStore.open({
    bus,
    rules,
    now: Date.now,
    eventsOf: (notice, conversation) => noticeEvents(notice, conversation, resources.of(notice.to)),
  });
}

function deadlinesOf(store: ConversationStore, overdue: Overdue, logger: Logger): Deadlines {
  return new Deadlines({ store, logger, now: Date.now, onDue: (id) => overdue.process(id) });
}
