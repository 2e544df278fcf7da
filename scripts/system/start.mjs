// `npm start`: from a fresh clone to a running system. Stops with Ctrl-C, or `npm stop`.
import { spawn } from 'node:child_process';
import { waitingPollsFlags } from '../node-flags.mjs';
import { whenNpmIsGone } from '../npm-gone.mjs';
import {
  checkSettings,
  ensureConsoleBuilt,
  ensureInstalled,
  ensureNatsServer,
  ensurePrograms,
  isConsoleBuilt,
  isNatsServerThere,
  loadEnvFile,
  node24,
  programFile,
  root,
} from '../prepare.mjs';

loadEnvFile();
ensureInstalled();
ensurePrograms();
// The system checks its settings itself; before a step that takes long they are checked now.
if (!isConsoleBuilt() || !isNatsServerThere()) checkSettings();
ensureConsoleBuilt();
if (!process.env.NATS_URL) ensureNatsServer();

const child = spawn(node24, [...waitingPollsFlags, programFile('ringdown/main')], {
  cwd: root,
  // Nothing is sent over the channel: its end tells the system that we were killed.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
// The terminal and npm signal the whole process group; we wait until the system has stopped in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
whenNpmIsGone(() => child.kill('SIGTERM'));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
