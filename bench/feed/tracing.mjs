// Records with and without messages of calls beside them, in turns on the same collector, aggregator and database.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('messages.mjs', import.meta.url));
const TURNS = 5;

/** `posting`: posts records for a while. Returns `[{ without, beside }]`, one for each turn. */
export async function inTurns({ base, perSecond, posting }) {
  const turns = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const without = await posting();
    turns.push({ without, beside: await besideMessages({ base, perSecond }, posting) });
  }
  return turns;
}

async function besideMessages(options, work) {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    return await work();
  } finally {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
}
