export { collector } from './collector.js';
export { CollectorModule, type CollectorParts } from './collector.module.js';
export { collectorSettings } from './settings.js';
