import { CALL_TASKS } from './call-tasks.js';
import { SYSTEM_TASKS } from './system-tasks.js';
import type { Task } from './task.js';

/** A week of an operator. Each task stands on its own, but for the limit of a trunk, which is read after it was set. */
export const WEEK: readonly Task[] = [...CALL_TASKS, ...SYSTEM_TASKS];
