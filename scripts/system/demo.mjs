// `npm run demo`: invented front ends post the calls of yesterday and today to a running system, and keep calls going until
// Ctrl-C; then it prints what to try next.
//   npm run demo -- --to http://collector:8080 --hours 4 --duration 60 --seed 7
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ensurePrograms, fail, loadEnvFile, node24, programFile, root } from '../prepare.mjs';

loadEnvFile();
// Only `npm start` installs packages: a demo must not change the packages of a running system.
if (!existsSync(node24)) fail('the packages are not installed; run "npm start" first, or "npm ci"');
ensurePrograms();

// Paths in what it prints are from the folder of the caller.
const env = { ...process.env, DATA_DIR: resolve(root, process.env.DATA_DIR || 'data') };
const child = spawn(node24, [programFile('ringdown/demo'), ...process.argv.slice(2)], { stdio: 'inherit', env });
// The terminal signals the whole process group; the program ends when the demo has printed its summary.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
