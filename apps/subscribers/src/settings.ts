import { deadLetterSettings, streamSettings } from '@ringdown/feed-bus/streams';
import { identitySettings } from '@ringdown/identity-hiding';
import { setting, type SettingValues } from '@ringdown/settings';
import { processingSettings } from '@ringdown/time-limit';
import { profileSettings } from '@ringdown/vendor-profile';

export const subscribersSettings = {
  subscribersFile: setting.optional(
    setting.text('SUBSCRIBERS_FILE', {
      task: 'delivery',
      about: 'JSON file with the subscribers for records or calls (docs/guides/subscribers.md). Default: none',
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
