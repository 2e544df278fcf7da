import { IN_PROGRESS } from '../calls/call.js';

/** In SQL as a list of literals, so that the planner sees that the partial index fits. */
export const IS_IN_PROGRESS = `state in (${IN_PROGRESS.map((state) => `'${state}'`).join(', ')})`;
