export { eachWithinTime, type EachOptions, type Outcome } from './each-within-time.js';
export { processingSettings } from './settings.js';
export { TookTooLong, withinTime } from './within-time.js';
