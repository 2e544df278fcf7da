import { runningSystem } from '../../src/running-system.js';

/** The system for all attacks of this folder; each attack has its own people and addresses. */
export const system = runningSystem();
