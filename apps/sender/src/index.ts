export { runSettings } from './run/run-settings.js';
