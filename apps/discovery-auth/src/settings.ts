import { directorySettings, passwordSettings } from '@ringdown/directory';
import { publicOriginSettings } from '@ringdown/web-server';
import { setting, type SettingValues } from '@ringdown/settings';
import { profileSettings } from '@ringdown/vendor-profile';
import { domainSettings } from './domain-homes.js';
import { signInLimitSettings } from './sign-in-limit-settings.js';
import { singleSignOnSettings } from './single-sign-on-settings.js';

/** The longest lifetime that the settings allow; after it the store deletes tokens, expired or not. */
export const MAX_LIFETIME_SECONDS = 24 * 60 * 60;

export const discoveryAuthSettings = {
  ...directorySettings,
  ...passwordSettings,
  ...publicOriginSettings,
  ...domainSettings,
  ...signInLimitSettings,
  ...profileSettings,
  ...singleSignOnSettings,
  tokenLifetimeSeconds: setting.integer('TOKEN_LIFETIME_SECONDS', {
    default: 8 * 60 * 60,
    min: 1,
    max: MAX_LIFETIME_SECONDS,
    about: 'How long an access token is valid, seconds',
  }),
  guestTokenLifetimeSeconds: setting.integer('GUEST_TOKEN_LIFETIME_SECONDS', {
    default: 60 * 60,
    min: 1,
    max: MAX_LIFETIME_SECONDS,
    about: 'How long an access token of a guest of a meeting is valid, seconds',
  }),
};

export type Settings = SettingValues<typeof discoveryAuthSettings>;
/** Injects {@link Settings}. */
export const SETTINGS = Symbol('settings of discovery-auth');
