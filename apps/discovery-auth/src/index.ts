export { discoveryAuth } from './service.js';
export { discoveryAuthSettings } from './settings.js';
