export { senderSettings } from './settings.js';
