// `npm start`: from a fresh clone to a running system. Stops with Ctrl-C.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ensureNatsServer, node24, root } from './prepare.mjs';

// Settings of `.env` are for compose as well; what is set in the environment wins.
const envFile = join(root, '.env');
const before = { ...process.env };
if (existsSync(envFile) && process.loadEnvFile) process.loadEnvFile(envFile);
Object.assign(process.env, before);

ensureInstalled();
ensureBuilt();
if (!process.env.NATS_URL) ensureNatsServer();

const program = join(root, 'apps', 'ringdown', 'dist', 'src', 'main.js');
const child = spawn(node24, ['--enable-source-maps', program], { cwd: root, stdio: 'inherit' });
// The terminal and npm signal the whole group; we stay until the system has stopped in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
