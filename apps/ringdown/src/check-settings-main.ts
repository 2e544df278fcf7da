import { runProgram } from '@ringdown/service';
import { checkSettings } from './ringdown.js';

// Program of scripts/start.mjs: ends as `npm start` would with wrong settings, and without a word when they are right.
await runProgram('ringdown', async () => {
  await checkSettings(process.env);
  process.exit(0);
});
