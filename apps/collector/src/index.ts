export { collector } from './collector.js';
export { assertFeedFiles } from './ingress/feed-files.js';
export { collectorSettings } from './settings.js';
