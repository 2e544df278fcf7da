// Runs posts.mjs and receives its messages.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('posts.mjs', import.meta.url));

/** `onStart` is called for some of the calls when their first record is posted. */
export async function post(options, onStart = () => undefined) {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.on('message', onStart);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the front ends ended with ${code}`);
  return JSON.parse(output);
}
