import { runProgram } from '@ringdown/service';
import { startRingdown } from './ringdown.js';

await runProgram('ringdown', (stopping) => startRingdown(process.env, stopping));
