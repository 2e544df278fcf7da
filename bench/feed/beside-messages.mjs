// Something that is done beside a sender of SIP messages.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('messages.mjs', import.meta.url));

/** Returns the `result` of `work`, and what became of the messages that were posted beside it: see messages.mjs. */
export async function besideMessages(options, work) {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'exit');
  try {
    await lines.next();
    const result = await work();
    child.kill();
    const { value } = await lines.next();
    return { result, messages: JSON.parse(value) };
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}
