import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import { LOGGER, type Logger } from '@ringdown/observability';
import { CommunicationModule } from '../communication/communication.module.js';
import { ContextModule } from '../context.module.js';
import { EventsModule } from '../events/events.module.js';
import { PersonalSettingsModule } from '../personal-settings/personal-settings.module.js';
import { PresenceStore } from '../presence-store/presence-store.js';
import { PresenceStoreModule } from '../presence-store/presence-store.module.js';
import { ReadableContactsModule } from '../readable-contacts/readable-contacts.module.js';
import { Sessions } from '../sessions/sessions.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SETTINGS, type Settings } from '../settings.js';
import { ContactPresenceController } from './contact-presence.controller.js';
import { InactiveClients } from './inactive-clients.js';
import { OwnPresenceOperations } from './own-presence-operations.js';
import { OwnPresenceController } from './own-presence.controller.js';
import { PresenceEvents } from './presence-events.js';
import { PresenceNotifications } from './presence-notifications.js';
import { PresenceResources } from './presence-resources.js';
import { Presences } from './presences.js';

/** The presence of people: that of the user, that of others, and its changes by timeout. */
@Module({
  imports: [
    ContextModule,
    SessionsModule,
    EventsModule,
    PresenceStoreModule,
    CommunicationModule,
    PersonalSettingsModule,
    ReadableContactsModule,
  ],
  controllers: [OwnPresenceController, ContactPresenceController],
  providers: [
    InactiveClients,
    OwnPresenceOperations,
    PresenceEvents,
    PresenceNotifications,
    PresenceResources,
    { provide: Presences, inject: [PresenceStore, PresenceNotifications, SETTINGS, LOGGER], useFactory: presencesOf },
  ],
  exports: [OwnPresenceOperations, PresenceEvents, PresenceResources, Presences],
})
export class PresenceModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly presences: Presences,
    private readonly inactive: InactiveClients,
    private readonly sessions: Sessions,
    @Inject(DIRECTORY) private readonly directory: Directory,
  ) {}

  onModuleInit(): void {
    this.sessions.onEnd(async ({ application: { id, username }, whole }) => {
      const owner = this.directory.people.withUsername(username);
      if (whole && owner !== undefined) await this.presences.leave(owner, id);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.inactive.close();
    await this.presences.close();
  }
}

function presencesOf(
  store: PresenceStore,
  notifications: PresenceNotifications,
  { awaySeconds }: Settings,
  logger: Logger,
): Presences {
  const rules = { awayMs: awaySeconds * 1000 };
  return new Presences({
    store,
    rules,
    notifySessions: (record, aspects) => notifications.send(record, aspects),
    logger,
  });
}
