export { collector } from './collector.js';
export { collectorSettings } from './settings.js';
