import { Module, type BeforeApplicationShutdown, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { Meetings } from '@ringdown/bus';
import type { Directory } from '@ringdown/directory';
import { LinkBuilder, ResourceWriter } from '@ringdown/hypermedia';
import { TokenGuard, type TokenValidator } from '@ringdown/token-validation';
import { ApplicationsController } from './applications/applications.controller.js';
import { BatchController } from './batch/batch.controller.js';
import { DIRECTORY, PeopleController } from './people/people.controller.js';
import { PhotosController } from './people/photos.controller.js';
import { ContactListResources } from './contacts/contact-list-resources.js';
import { ContactLists } from './contacts/contact-lists.js';
import { ContactsController } from './contacts/contacts.controller.js';
import { GroupsController } from './contacts/groups.controller.js';
import { PeopleSearch } from './search/people-search.js';
import { PhoneResources } from './applications/phone-resources.js';
import { PhonesController } from './applications/phones.controller.js';
import { ApplicationResources } from './applications/resources.js';
import type { Applications } from './applications/applications.js';
import { Sessions } from './applications/sessions.js';
import { OnlineMeetingResources } from './online-meetings/online-meeting-resources.js';
import { OnlineMeetingsController } from './online-meetings/online-meetings.controller.js';
import { CommunicationResources } from './messaging/communication-resources.js';
import { Communications } from './messaging/communications.js';
import { CommunicationController, MESSAGE_BOUNDS } from './messaging/communication.controller.js';
import { ConversationsController } from './messaging/conversations.controller.js';
import { MessagingController } from './messaging/messaging.controller.js';
import type { MessageBounds } from './messaging/messaging-input.js';
import { Messaging } from './messaging/messaging.js';
import type { OpenedMessaging } from './messaging/open-messaging.js';
import { EventChannels } from './events/event-channels.js';
import { EventsController } from './events/events.controller.js';
import { ContactPresenceController } from './presence/contact-presence.controller.js';
import type { PresenceParts } from './presence/open-presence.js';
import { OwnPresence } from './presence/own-presence.js';
import { OwnPresenceController } from './presence/own-presence.controller.js';
import { PresenceResources } from './presence/presence-resources.js';
import { Presences } from './presence/presences.js';
import { SubscriptionResources } from './subscriptions/subscription-resources.js';
import { Subscriptions } from './subscriptions/subscriptions.js';
import { SubscriptionsController } from './subscriptions/subscriptions.controller.js';

export interface ApplicationPeopleParts {
  readonly writer: ResourceWriter;
  readonly links: LinkBuilder;
  readonly resources: ApplicationResources;
  readonly phoneResources: PhoneResources;
  readonly channels: EventChannels;
  readonly applications: Applications;
  readonly sessions: Sessions;
  readonly meetings: Meetings;
  readonly meetingResources: OnlineMeetingResources;
  readonly presence: PresenceParts;
  readonly messaging: OpenedMessaging;
  readonly communicationResources: CommunicationResources;
  readonly messageBounds: MessageBounds;
  readonly peopleSearch: PeopleSearch;
  readonly contactLists: ContactLists;
  readonly contactListResources: ContactListResources;
  readonly guard: TokenGuard;
  readonly validator: TokenValidator;
  readonly directory: Directory;
}

/** What ends with the module. A class, as Nest injects by class. */
class Closer {
  constructor(private readonly parts: ApplicationPeopleParts) {}

  /** Requests that wait for something are answered, so that the listener can close. */
  stopWaiting(): void {
    this.parts.channels.endPolls();
  }

  async close(): Promise<void> {
    await this.parts.presence.close();
    await this.parts.messaging.close();
    this.parts.channels.close();
    this.parts.applications.close();
    await this.parts.peopleSearch.close();
    await this.parts.directory.close();
    await this.parts.validator.close();
  }
}

@Module({})
export class ApplicationPeopleModule implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(private readonly closer: Closer) {}

  static register(parts: ApplicationPeopleParts): DynamicModule {
    return {
      module: ApplicationPeopleModule,
      controllers: [
        ApplicationsController,
        PhonesController,
        EventsController,
        BatchController,
        OwnPresenceController,
        ContactsController,
        GroupsController,
        SubscriptionsController,
        PeopleController,
        ContactPresenceController,
        PhotosController,
        OnlineMeetingsController,
        CommunicationController,
        ConversationsController,
        MessagingController,
      ],
      providers: [
        { provide: ResourceWriter, useValue: parts.writer },
        { provide: LinkBuilder, useValue: parts.links },
        { provide: EventChannels, useValue: parts.channels },
        { provide: ApplicationResources, useValue: parts.resources },
        { provide: PhoneResources, useValue: parts.phoneResources },
        { provide: Sessions, useValue: parts.sessions },
        { provide: Meetings, useValue: parts.meetings },
        { provide: OnlineMeetingResources, useValue: parts.meetingResources },
        { provide: Presences, useValue: parts.presence.presences },
        { provide: OwnPresence, useValue: parts.presence.own },
        { provide: PresenceResources, useValue: parts.presence.resources },
        { provide: Subscriptions, useValue: parts.presence.subscriptions },
        { provide: SubscriptionResources, useValue: parts.presence.subscriptionResources },
        { provide: Messaging, useValue: parts.messaging.messaging },
        { provide: Communications, useValue: parts.messaging.communications },
        { provide: CommunicationResources, useValue: parts.communicationResources },
        { provide: MESSAGE_BOUNDS, useValue: parts.messageBounds },
        { provide: PeopleSearch, useValue: parts.peopleSearch },
        { provide: ContactLists, useValue: parts.contactLists },
        { provide: ContactListResources, useValue: parts.contactListResources },
        { provide: TokenGuard, useValue: parts.guard },
        { provide: DIRECTORY, useValue: parts.directory },
        { provide: Closer, useValue: new Closer(parts) },
      ],
    };
  }

  beforeApplicationShutdown(): void {
    this.closer.stopWaiting();
  }

  /** After the listener has answered what was in flight. */
  async onApplicationShutdown(): Promise<void> {
    await this.closer.close();
  }
}
