import { IN_PROGRESS } from '../../calls/call.js';

/** In SQL as a list of literals, so that the planner can use the partial index. */
export const IS_IN_PROGRESS = `state in (${IN_PROGRESS.map((state) => `'${state}'`).join(', ')})`;
