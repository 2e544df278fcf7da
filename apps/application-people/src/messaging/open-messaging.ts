import type { Bus } from '@ringdown/bus';
import type { Directory } from '@ringdown/directory';
import type { Logger, Metrics } from '@ringdown/observability';
import type { SettingValues } from '@ringdown/settings';
import type { Applications } from '../applications/applications.js';
import type { Sessions } from '../applications/sessions.js';
import type { EventChannels } from '../events/event-channels.js';
import type { Presences } from '../presence/presences.js';
import type { CommunicationResources } from './communication-resources.js';
import { Communications } from './communications.js';
import { ConversationStore } from './conversation-store.js';
import { Deadlines } from './deadlines.js';
import { Deliveries } from './deliveries.js';
import { MessageStore } from './message-store.js';
import { Destinations } from './destinations.js';
import { eventsOf } from './messaging-events.js';
import { Messaging } from './messaging.js';
import { Overdue } from './overdue.js';
import { OwnConversations } from './own-conversations.js';
import { messagingRules, type messagingSettings } from './settings.js';

export interface MessagingContext {
  readonly bus: Bus;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly directory: Directory;
  readonly applications: Applications;
  readonly sessions: Sessions;
  readonly channels: EventChannels;
  readonly presences: Presences;
  readonly resources: CommunicationResources;
}

export interface OpenedMessaging {
  readonly messaging: Messaging;
  readonly communications: Communications;
  close(): Promise<void>;
}

/** Messages between people, with what looks after conversations when nobody does anything. */
export async function openMessaging(
  settings: SettingValues<typeof messagingSettings>,
  { resources, sessions, ...context }: MessagingContext,
): Promise<OpenedMessaging> {
  const { bus, logger } = context;
  const now = Date.now;
  const rules = messagingRules(settings);
  const store = await ConversationStore.open({
    bus,
    rules,
    now,
    eventsOf: (notice, conversation) => eventsOf(notice, conversation, resources.of(notice.to)),
  });
  const own = await OwnConversations.open({ bus, limit: settings.conversationsPerApplication });
  const messages = await MessageStore.open(bus);
  const deliveries = new Deliveries({ ...context, store, own, messages, now });
  const communications = new Communications({ ...context, resources });
  const messaging = new Messaging({
    ...context,
    store,
    own,
    messages,
    deliveries,
    rules,
    communications,
    destinations: new Destinations({ ...context, communications, own }),
  });
  sessions.onEnd(async ({ application, whole }) => {
    if (whole) await messaging.applicationEnded(application.id);
  });
  const overdue = new Overdue({ ...context, store, deliveries, rules, now });
  const deadlines = new Deadlines({ store, logger, now, onDue: (id) => overdue.lookAfter(id) });
  return {
    messaging,
    communications,
    close: async () => {
      await deadlines.close();
      await messaging.close();
    },
  };
}
