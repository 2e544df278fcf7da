export { eachWithinTime, type EachOptions, type Outcome } from './each-within-time.js';
export { processingSettings } from './settings.js';
export { TimeLimitExceeded, withinTime } from './within-time.js';
