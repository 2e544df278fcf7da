export { Mutex, Semaphore } from 'async-mutex';
export { BoundedSemaphore, QueueFull, type BoundedSemaphoreOptions } from './bounded-semaphore.js';
export { CoalescedTask } from './coalesced-task.js';
export { KeyedMutex } from './keyed-mutex.js';
export { PeriodicTask, type PeriodicTaskOptions } from './periodic-task.js';
export { RefreshAheadCache } from './refresh-ahead-cache.js';
