import { setting, type Setting } from '@ringdown/settings';
import { loadProfile } from './load-profile.js';
import type { VendorProfile } from './profile.js';
import { defaultProfile } from './profiles.js';

const vendorProfile: Setting<VendorProfile> = {
  ...setting.text('VENDOR_PROFILE', { task: 'protocol', about: 'Names and paths on the wire' }),
  allowed: 'default, ms, or a JSON file',
  fallback: defaultProfile,
  shownDefault: 'default',
  required: false,
  parse: loadProfile,
};

export const profileSettings = { vendorProfile };
