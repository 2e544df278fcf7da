export { Mutex, Semaphore } from 'async-mutex';
export { BoundedSemaphore, QueueFull, type BoundedSemaphoreOptions } from './bounded-semaphore.js';
export { CoalescedTask } from './coalesced-task.js';
export { KeyedMutex } from './keyed-mutex.js';
export { KeyedSlots } from './keyed-slots.js';
export { PeriodicTask, type PeriodicTaskOptions } from './periodic-task.js';
export { RateLimit, type RateLimitOptions } from './rate-limit.js';
export { countEvent, spendOne, type Allowance, type AllowanceRule, type WindowCount } from './rates.js';
export { RefreshAheadCache } from './refresh-ahead-cache.js';
