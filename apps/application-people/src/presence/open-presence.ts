import type { Bus } from '@ringdown/bus';
import type { Directory } from '@ringdown/directory';
import type { LinkBuilder } from '@ringdown/hypermedia';
import type { Logger } from '@ringdown/observability';
import { setting, type SettingValues } from '@ringdown/settings';
import type { Applications } from '../applications/applications.js';
import type { Sessions } from '../applications/sessions.js';
import type { EventChannels } from '../events/event-channels.js';
import { InactiveClients } from './inactive-clients.js';
import { OwnPresence } from './own-presence.js';
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
  { bus, logger, applications, sessions, channels, directory, links, gapMs }: PresenceContext,
): Promise<PresenceParts> {
  const store = await PresenceStore.open(bus, logger);
  const resources = new PresenceResources(links);
  const news = new PresenceNews({ applications, channels, events: new PresenceEvents(links) });
  const tellOthers = news.tell.bind(news);
  const presences = new Presences({ store, rules: { awayMs: awaySeconds * 1000 }, tellOthers, logger });
  sessions.onEnd(async ({ application, whole }) => {
    const owner = directory.people.withUsername(application.username);
    if (whole && owner !== undefined) await presences.leave(owner, application.id);
  });
  const inactiveMs = inactiveSeconds * 1000;
  const inactive = new InactiveClients({
    store,
    presences,
    applications,
    sessions,
    channels,
    logger,
    gapMs,
    inactiveMs,
  });
  return {
    presences,
    own: new OwnPresence(presences, resources),
    resources,
    close: async () => {
      await inactive.close();
      await presences.close();
      store.close();
    },
  };
}
