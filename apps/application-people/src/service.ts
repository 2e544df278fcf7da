import { Meetings } from '@ringdown/bus';
import { directorySettings, openDirectory } from '@ringdown/directory';
import { publicOriginSettings, type WebPart } from '@ringdown/http-server';
import { LinkBuilder, reasonStyle, ResourceWriter } from '@ringdown/hypermedia';
import { announce, type ServiceContext, type WebService } from '@ringdown/service';
import { setting, type SettingValues } from '@ringdown/settings';
import { openTokenGuard } from '@ringdown/token-validation';
import { profileSettings } from '@ringdown/vendor-profile';
import { ApplicationPeopleModule } from './application-people.module.js';
import { Applications } from './applications/applications.js';
import { ContactListEvents } from './contacts/contact-list-events.js';
import { ContactListResources } from './contacts/contact-list-resources.js';
import { membersIfAny } from './contacts/contact-list.js';
import { ContactLists } from './contacts/contact-lists.js';
import { channelKey } from './events/channel-key.js';
import { ChannelStore } from './events/channel-store.js';
import { EventChannels } from './events/event-channels.js';
import { POLL_RULES, type PollRules } from './events/poll.js';
import { UserEvents } from './events/user-events.js';
import { openPresence, presenceSettings } from './presence/open-presence.js';
import { PeopleSearch } from './search/people-search.js';
import { PhoneResources } from './applications/phone-resources.js';
import { ApplicationResources } from './applications/resources.js';
import { Sessions } from './applications/sessions.js';
import { CommunicationResources } from './messaging/communication-resources.js';
import { openMessaging } from './messaging/open-messaging.js';
import { messagingSettings } from './messaging/settings.js';
import { OnlineMeetingResources } from './online-meetings/online-meeting-resources.js';

export const applicationPeopleSettings = {
  applicationsPerUser: setting.integer('APPLICATIONS_PER_USER', {
    default: 20,
    min: 1,
    max: 1_000,
    about: 'Applications that one user may have at once; one more ends the oldest',
  }),
  pollGapSeconds: setting.integer('APPLICATION_POLL_GAP_SECONDS', {
    default: 900,
    min: 1,
    max: 86_400,
    about: 'How long an application lives without a poll after it has polled for events, seconds',
  }),
  maxWaitSeconds: setting.integer('EVENTS_MAX_WAIT_SECONDS', {
    default: 1_800,
    min: 1,
    max: 1_800,
    about:
      'The longest that a poll for events waits, whatever the client asks for, seconds; less than proxies on the way do',
  }),
  ...presenceSettings,
  ...messagingSettings,
  ...directorySettings,
  ...publicOriginSettings,
  ...profileSettings,
};

/** Applications (sessions), me, people search and contacts. A people file must exist: discovery-auth makes the first. */
export const applicationPeople: WebService<typeof applicationPeopleSettings> = {
  name: 'application-people',
  fields: applicationPeopleSettings,
  open,
};

async function open(
  settings: SettingValues<typeof applicationPeopleSettings>,
  context: ServiceContext,
): Promise<WebPart> {
  const { bus, logger, metrics, natsUrl } = context;
  const { vendorProfile, publicOrigins } = settings;
  const web = vendorProfile.web;
  const directory = await openDirectory(settings, context);
  const applications = await Applications.open({ bus, logger, perUser: settings.applicationsPerUser });
  const { guard, validator } = openTokenGuard({ bus, natsUrl, web, publicOrigins });
  const meetings = await Meetings.open({ bus });
  const rules = pollRules(settings);
  const channels = new EventChannels({ store: await ChannelStore.open(bus), bus, logger, metrics, rules });
  const sessions = new Sessions({ applications, directory });
  sessions.onEnd(async ({ application, instances }) => {
    for (const instance of instances) await channels.remove(channelKey(application.id, instance));
  });
  const links = new LinkBuilder({ web, publicOrigin: publicOrigins.first });
  const meetingResources = new OnlineMeetingResources(links);
  const communicationResources = new CommunicationResources(links);
  const { gapMs } = rules;
  const rooms = { bus, logger, applications, sessions, channels, directory, links, gapMs };
  const presence = await openPresence(settings, rooms);
  const phoneResources = new PhoneResources(links);
  const resources = new ApplicationResources(links, meetingResources, presence, communicationResources, phoneResources);
  const contactListResources = new ContactListResources({
    links,
    resources,
    subscriptions: presence.subscriptionResources,
  });
  const contactLists = await ContactLists.open({ bus, directory });
  const contactListEvents = new ContactListEvents(contactListResources, () => directory.people);
  const userEvents = new UserEvents({ applications, channels, logger });
  contactLists.onChange(({ owner, after }) =>
    presence.subscriptions.followGroups(owner.username, (groupId) => membersIfAny(after, groupId)),
  );
  contactLists.onChange(({ owner, ...change }) =>
    userEvents.tell(owner.username, (id) => contactListEvents.of(id, change)),
  );
  const messaging = await openMessaging(settings, {
    ...context,
    directory,
    applications,
    sessions,
    channels,
    presences: presence.presences,
    resources: communicationResources,
  });
  announce(context, { service: 'application-people' });
  return {
    module: ApplicationPeopleModule.register({
      writer: new ResourceWriter(web),
      links,
      resources,
      phoneResources,
      channels,
      applications,
      sessions,
      meetings,
      meetingResources,
      presence,
      contactLists,
      contactListResources,
      messaging,
      communicationResources,
      messageBounds: { maxBytes: settings.messageMaxBytes },
      peopleSearch: await PeopleSearch.open({ directory, logger, metrics }),
      guard,
      validator,
      directory,
    }),
    errorStyles: [reasonStyle('/', web)],
  };
}

function pollRules({ pollGapSeconds, maxWaitSeconds }: SettingValues<typeof applicationPeopleSettings>): PollRules {
  const gapMs = pollGapSeconds * 1000;
  return { ...POLL_RULES, gapMs, resumeMs: (gapMs * 2) / 3, maxWaitSeconds };
}
