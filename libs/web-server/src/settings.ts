// The settings alone, for commands that start no server: without Nest they load in a third of the time.
export { crossOriginSettings } from './cross-origin.js';
export { listenerSettings } from './listener-settings.js';
export { publicOriginSettings } from './public-origins.js';
