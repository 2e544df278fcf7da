export type { FeedNames, NativeDiscoveryNames, VendorProfile, WebNames, WebPaths } from './profile.js';
export { defaultProfile, msProfile } from './profiles.js';
export { loadProfile } from './load-profile.js';
export { profileSettings } from './profile-settings.js';
