import { errorReason } from '@ringdown/errors';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { demoCall } from './demo/demo-call.js';
import { whatNext } from './demo/what-next.js';

// The demo for the system of DATA_DIR: it sends to its feed, and makes the rules of alerts as its operator.
const DEMO = fileURLToPath(new URL('../../../demo/dist/src/main.js', import.meta.url));
/** The exit code after Ctrl-C, the usual end. */
const INTERRUPTED = 130;

try {
  const call = demoCall(process.argv.slice(2), process.env);
  const child = spawn(process.execPath, [DEMO, ...call.args], {
    stdio: 'inherit',
    env: { ...process.env, ...call.env },
  });
  // The terminal signals the whole process group; we wait until the demo has printed its summary.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => {
    if (call.isForPeople && (code === 0 || code === INTERRUPTED)) process.stdout.write(whatNext(call));
    process.exit(code ?? 1);
  });
} catch (error) {
  process.stderr.write(`demo: ${errorReason(error)}\n`);
  process.exitCode = 1;
}
