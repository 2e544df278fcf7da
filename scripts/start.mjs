// `npm start`: from a fresh clone to a running system. Stops with Ctrl-C, or `npm stop`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { waitingPollsFlags } from './node-flags.mjs';
import { whenNpmIsGone } from './npm-gone.mjs';
import {
  checkSettings,
  ensureCompiled,
  ensureConsoleBuilt,
  ensureInstalled,
  ensureNatsServer,
  isConsoleBuilt,
  isNatsServerThere,
  loadEnvFile,
  node24,
  root,
} from './prepare.mjs';

loadEnvFile();
ensureInstalled();
ensureCompiled();
// The system checks its settings itself; before a step that takes long they are checked now.
if (!isConsoleBuilt() || !isNatsServerThere()) checkSettings();
ensureConsoleBuilt();
if (!process.env.NATS_URL) ensureNatsServer();

const program = join(root, 'apps', 'ringdown', 'dist', 'src', 'main.js');
const child = spawn(node24, ['--enable-source-maps', ...waitingPollsFlags, program], {
  cwd: root,
  // Nothing is sent over the channel: its end tells the system that we were killed.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
// The terminal and npm signal the whole process group; we wait until the system has stopped in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
whenNpmIsGone(() => child.kill('SIGTERM'));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
