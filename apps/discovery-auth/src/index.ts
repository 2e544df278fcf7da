export { discoveryAuth } from './service.js';
export { assertSingleSignOn, singleSignOnSettings } from './single-sign-on-settings.js';
export { discoveryAuthSettings } from './settings.js';
