// Starts Nx: without its daemon, so that nothing is left running, and without a process of its own for each plugin.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { node24, root } from '../prepare.mjs';

const settings = {
  NX_DAEMON: 'false',
  NX_ISOLATE_PLUGINS: 'false',
  NX_NO_CLOUD: 'true',
  // Otherwise Nx asks its commands for colours, also where the output goes to a file.
  FORCE_COLOR: process.stdout.isTTY ? 'true' : '0',
};

/** Resolves to the exit code; whatever ends us, ends Nx and what it runs. */
export async function runNx(args, env = {}) {
  const child = spawn(node24, [join(root, 'node_modules', 'nx', 'dist', 'bin', 'nx.js'), ...args], {
    cwd: root,
    env: { ...process.env, ...settings, ...env },
    stdio: 'inherit',
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const forward = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  const code = await new Promise((resolve) => child.on('exit', (status) => resolve(status ?? 1)));
  for (const signal of signals) process.off(signal, forward);
  return code;
}
