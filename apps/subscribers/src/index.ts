export { subscribers, subscribersSettings } from './subscribers.js';
