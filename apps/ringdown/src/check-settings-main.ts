import { runProgram } from '@ringdown/service';
import { checkSettings } from './ringdown.js';

// Program of scripts/system/start.mjs: ends like `npm start` if settings are wrong, and without output if they are right.
await runProgram('ringdown', async () => {
  await checkSettings(process.env);
  process.exit(0);
});
