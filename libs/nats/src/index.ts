export { Bus, busSettings, NoService } from './bus.js';
export { BusFull } from './bus-full.js';
export type { BusUrl } from './bus-login.js';
export { BusNotReachable } from './bus-not-reachable.js';
export { busTime } from './bus-time.js';
export { BusUnavailable } from './bus-unavailable.js';
export { isNotAllowed } from './not-allowed.js';
export { outOfStep } from './out-of-step.js';
