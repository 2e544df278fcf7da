import type { Bus } from '@ringdown/bus';
import type { Directory } from '@ringdown/directory';
import type { LinkBuilder } from '@ringdown/hypermedia';
import type { Logger } from '@ringdown/observability';
import { setting, type SettingValues } from '@ringdown/settings';
import { CallPresence } from '../calls/call-presence.js';
import type { Applications } from '../applications/applications.js';
import type { Sessions } from '../applications/sessions.js';
import type { EventChannels } from '../events/event-channels.js';
import { SubscriptionEvents } from '../subscriptions/subscription-events.js';
import { SubscriptionResources } from '../subscriptions/subscription-resources.js';
import { Subscriptions } from '../subscriptions/subscriptions.js';
import { endApplication } from '../subscriptions/watch-list.js';
import { WatchLists } from '../subscriptions/watch-lists.js';
import { InactiveClients } from './inactive-clients.js';
import { OwnPresence } from './own-presence.js';
import { PresenceBucket } from './presence-bucket.js';
import { PresenceEvents } from './presence-events.js';
import { PresenceNews } from './presence-news.js';
import { PresenceResources } from './presence-resources.js';
import { PresenceStore } from './presence-store.js';
import { Presences } from './presences.js';

export const presenceSettings = {
  awaySeconds: setting.integer('PRESENCE_AWAY_SECONDS', {
    default: 300,
    min: 1,
    max: 86_400,
    about: 'For how long people are shown as inactive before they are shown as away, seconds',
  }),
  inactiveSeconds: setting.integer('APPLICATION_INACTIVE_SECONDS', {
    default: 3_600,
    min: 1,
    max: 86_400,
    about:
      'How long an application whose user is available in it lives without activity if it never polls for events, seconds',
  }),
};

/** All of presence that other parts of the service need. */
export interface PresenceParts {
  readonly presences: Presences;
  readonly own: OwnPresence;
  readonly resources: PresenceResources;
  readonly subscriptions: Subscriptions;
  readonly subscriptionResources: SubscriptionResources;
  close(): Promise<void>;
}

export interface PresenceContext {
  readonly bus: Bus;
  readonly logger: Logger;
  readonly applications: Applications;
  readonly sessions: Sessions;
  readonly channels: EventChannels;
  readonly directory: Directory;
  readonly links: LinkBuilder;
  readonly gapMs: number;
}

export async function openPresence(
  { awaySeconds, inactiveSeconds }: SettingValues<typeof presenceSettings>,
  context: PresenceContext,
): Promise<PresenceParts> {
  const { bus, logger, sessions, directory, links } = context;
  const bucket = await PresenceBucket.open(bus, logger);
  const store = new PresenceStore(bucket);
  const watchLists = new WatchLists(bucket);
  const resources = new PresenceResources(links);
  const subscriptionResources = new SubscriptionResources(links);
  const contactEvents = new SubscriptionEvents(subscriptionResources, resources);
  const subscriptions = new Subscriptions({ ...context, lists: watchLists, events: contactEvents });
  const news = new PresenceNews({ ...context, watchLists, contactEvents, ownEvents: new PresenceEvents(links) });
  const rules = { awayMs: awaySeconds * 1000 };
  const presences = new Presences({ store, rules, tellOthers: news.tell.bind(news), logger });
  const inactive = new InactiveClients({ ...context, store, presences, inactiveMs: inactiveSeconds * 1000 });
  const callPresence = new CallPresence({ ...context, store, presences });
  const unfollow = bucket.follow({
    onPresence: store.hear.bind(store),
    onWatchList: watchLists.hear.bind(watchLists),
    onCurrent: callPresence.checkAll.bind(callPresence),
  });
  sessions.onEnd(async ({ application: { id, username }, whole }) => {
    const owner = directory.people.withUsername(username);
    if (!whole || owner === undefined) return;
    await subscriptions.change(username, endApplication(id));
    await presences.leave(owner, id);
  });
  return {
    presences,
    own: new OwnPresence(presences, resources),
    resources,
    subscriptions,
    subscriptionResources,
    close: async () => {
      await callPresence.close();
      await inactive.close();
      await subscriptions.close();
      await presences.close();
      unfollow();
    },
  };
}
