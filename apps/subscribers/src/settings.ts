import { deadLetterSettings, streamSettings } from '@ringdown/feed-bus';
import { identitySettings } from '@ringdown/identity-hiding';
import { setting, type SettingValues } from '@ringdown/settings';
import { processingSettings } from '@ringdown/time-limit';
import { profileSettings } from '@ringdown/vendor-profile';

export const subscribersSettings = {
  subscribersFile: setting.optional(
    setting.text('SUBSCRIBERS_FILE', {
      about: 'JSON file with who gets records or calls sent on (docs/guides/subscribers.md); left out: nobody',
    }),
  ),
  ...identitySettings,
  ...processingSettings,
  ...deadLetterSettings,
  ...streamSettings,
  ...profileSettings,
};

export type Settings = SettingValues<typeof subscribersSettings>;
/** Injects {@link Settings}. */
export const SETTINGS = Symbol('settings of the subscribers');
