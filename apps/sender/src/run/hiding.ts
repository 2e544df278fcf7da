import { errorReason } from '@ringdown/errors';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { SettingsError, type SettingValues } from '@ringdown/settings';
import type { runSettings } from './run-settings.js';

type HidingSettings = Pick<SettingValues<typeof runSettings>, 'hidePii' | 'obfuscationSeed'>;

/** The option `hiding`, left out if users are shown as they are. Throws SettingsError. */
export function hidingOption({ hidePii, obfuscationSeed }: HidingSettings): { readonly hiding?: IdentityHiding } {
  if (hidePii === 'off') return {};
  try {
    return { hiding: new IdentityHiding(obfuscationSeed ?? '') };
  } catch (error) {
    throw new SettingsError([`OBFUSCATION_SEED: ${errorReason(error)}`]);
  }
}
