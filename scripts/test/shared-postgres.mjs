// One PostgreSQL for the test files of a run: each takes 75 ms for a copy of a database there, instead of a second for a
// server of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { node24, root } from '../prepare.mjs';

const PROGRAM = join(root, 'libs/testing/dist/src/servers/shared-postgres-main.js');

/** Starts it; `env` has its address for jest. It ends by `stop`, or with this process, however that ends. */
export async function startSharedPostgres(settings = {}) {
  const child = spawn(node24, [PROGRAM], { env: { ...process.env, ...settings }, stdio: ['pipe', 'pipe', 2] });
  const ended = once(child, 'exit');
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => text);
  const address = await Promise.race([line, ended.then(() => undefined)]);
  if (address === undefined) throw new Error('the PostgreSQL of the tests did not start');
  return {
    env: { RINGDOWN_TEST_POSTGRES: address },
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
