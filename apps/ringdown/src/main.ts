import { runProgram } from '@ringdown/service';
import { startRingdown } from './ringdown.js';

await runProgram('ringdown', () => startRingdown(process.env));
