import { directorySettings } from '@ringdown/directory';
import { publicOriginSettings } from '@ringdown/web-server';
import { setting, type SettingValues } from '@ringdown/settings';
import { profileSettings } from '@ringdown/vendor-profile';
import { domainSettings } from './discovery/domains.js';
import { signInLimitSettings } from './sign-in/sign-in-limits.js';
import { MAX_LIFETIME_SECONDS } from './sign-in/tokens.js';

export const discoveryAuthSettings = {
  ...directorySettings,
  ...publicOriginSettings,
  ...domainSettings,
  ...signInLimitSettings,
  ...profileSettings,
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
