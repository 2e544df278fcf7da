import { runningSystem } from '../../src/running-system.js';

/** The one that all attacks of this folder are made on; each has people and addresses of its own. */
export const system = runningSystem();
