export { discoveryAuth, discoveryAuthSettings } from './service.js';
