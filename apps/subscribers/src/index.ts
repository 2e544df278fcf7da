export { readSubscribersFile } from './subscribers-file.js';
export { subscribers } from './subscribers.js';
export { subscribersSettings } from './settings.js';
