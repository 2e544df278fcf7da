import { directorySettings } from '@ringdown/directory';
import { passwordSettings } from '@ringdown/directory/passwords';
import { publicOriginSettings } from '@ringdown/web-server';
import { setting, type SettingValues } from '@ringdown/settings';
import { profileSettings } from '@ringdown/vendor-profile';
import { domainSettings } from './domain-homes.js';
import { signInLimitSettings } from './sign-in-limit-settings.js';
import { singleSignOnSettings } from './single-sign-on-settings.js';

/** The longest lifetime that the settings allow; after it the store deletes tokens, expired or not. */
export const MAX_LIFETIME_SECONDS = 24 * 60 * 60;

const SHORTEST_KEY = 24;
const tokenKey = setting.text('TOKEN_KEY', {
  task: 'signIn',
  about:
    'Secret that seals access tokens on the bus: the same for all replicas of discovery-auth, and known to no other service; a new one ends all sessions. Not set: derived from the key or password of NATS_URL',
  secret: true,
});

export const discoveryAuthSettings = {
  ...directorySettings,
  ...passwordSettings,
  ...publicOriginSettings,
  ...domainSettings,
  ...signInLimitSettings,
  ...profileSettings,
  ...singleSignOnSettings,
  tokenKey: setting.optional({
    ...tokenKey,
    parse: (text: string) => {
      if (text.length < SHORTEST_KEY) throw new Error(`needs at least ${SHORTEST_KEY} characters`);
      return tokenKey.parse(text);
    },
  }),
  tokenLifetimeSeconds: setting.integer('TOKEN_LIFETIME_SECONDS', {
    task: 'signIn',
    default: 8 * 60 * 60,
    min: 1,
    max: MAX_LIFETIME_SECONDS,
    about: 'How long an access token is valid, seconds',
  }),
  guestTokenLifetimeSeconds: setting.integer('GUEST_TOKEN_LIFETIME_SECONDS', {
    task: 'signIn',
    default: 60 * 60,
    min: 1,
    max: MAX_LIFETIME_SECONDS,
    about: 'How long an access token of a guest of a meeting is valid, seconds',
  }),
};

export type Settings = SettingValues<typeof discoveryAuthSettings>;
/** Injects {@link Settings}. */
export const SETTINGS = Symbol('settings of discovery-auth');
