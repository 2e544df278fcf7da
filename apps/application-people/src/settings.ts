import { directorySettings } from '@ringdown/directory';
import { publicOriginSettings } from '@ringdown/web-server';
import { setting, type SettingValues } from '@ringdown/settings';
import { processingSettings } from '@ringdown/time-limit';
import { profileSettings } from '@ringdown/vendor-profile';

const presenceSettings = {
  awaySeconds: setting.integer('PRESENCE_AWAY_SECONDS', {
    task: 'messaging',
    default: 300,
    min: 1,
    max: 86_400,
    about: 'Time for which people are shown as inactive before they are shown as away, seconds',
  }),
  inactiveSeconds: setting.integer('APPLICATION_INACTIVE_SECONDS', {
    task: 'messaging',
    default: 3_600,
    min: 1,
    max: 86_400,
    about:
      'Time after which an application whose user is available in it ends without activity, if it never polls for events, seconds',
  }),
  ...processingSettings,
};

const messagingSettings = {
  invitationSeconds: setting.integer('INVITATION_SECONDS', {
    task: 'messaging',
    default: 30,
    min: 1,
    max: 600,
    about: 'How long an invitation to a conversation waits for an answer, seconds',
  }),
  messagePickUpSeconds: setting.integer('MESSAGE_PICK_UP_SECONDS', {
    task: 'messaging',
    default: 30,
    min: 1,
    max: 600,
    about: 'How long a message waits to be fetched before its sender gets a failure, seconds',
  }),
  conversationIdleMinutes: setting.integer('CONVERSATION_IDLE_MINUTES', {
    task: 'messaging',
    default: 1_440,
    min: 1,
    max: 7_200,
    about: 'Minutes without a message after which a conversation ends by itself',
  }),
  conversationsPerApplication: setting.integer('CONVERSATIONS_PER_APPLICATION', {
    task: 'messaging',
    default: 100,
    min: 1,
    max: 200,
    about: 'Maximum number of conversations of one application',
  }),
  messageMaxBytes: setting.integer('MESSAGE_MAX_BYTES', {
    task: 'messaging',
    default: 8_192,
    min: 1,
    max: 32_768,
    about: 'Maximum size of a message, bytes of UTF-8',
  }),
};

export const applicationPeopleSettings = {
  applicationsPerUser: setting.integer('APPLICATIONS_PER_USER', {
    task: 'messaging',
    default: 20,
    min: 1,
    max: 1_000,
    about: 'Maximum number of applications of one user; a further one ends the oldest',
  }),
  pollGapSeconds: setting.integer('APPLICATION_POLL_GAP_SECONDS', {
    task: 'messaging',
    default: 900,
    min: 1,
    max: 86_400,
    about: 'Time after which an application ends without a poll, if it has polled for events, seconds',
  }),
  maxWaitSeconds: setting.integer('EVENTS_MAX_WAIT_SECONDS', {
    task: 'messaging',
    default: 1_800,
    min: 1,
    max: 1_800,
    about: 'Maximum wait of a poll for events, seconds; choose less than the time-out of proxies in between',
  }),
  ...presenceSettings,
  ...messagingSettings,
  ...directorySettings,
  ...publicOriginSettings,
  ...profileSettings,
};

export type Settings = SettingValues<typeof applicationPeopleSettings>;
/** Injects {@link Settings}. */
export const SETTINGS = Symbol('settings of application-people');
