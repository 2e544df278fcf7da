// `npm start`: from a fresh clone to a running system. Stops with Ctrl-C.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { waitingPollsFlags } from './node-flags.mjs';
import { ensureBuilt, ensureInstalled, ensureNatsServer, loadEnvFile, node24, root } from './prepare.mjs';

loadEnvFile();
ensureInstalled();
ensureBuilt();
if (!process.env.NATS_URL) ensureNatsServer();

const program = join(root, 'apps', 'ringdown', 'dist', 'src', 'main.js');
const child = spawn(node24, ['--enable-source-maps', ...waitingPollsFlags, program], { cwd: root, stdio: 'inherit' });
// The terminal and npm signal the whole group; we stay until the system has stopped in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
