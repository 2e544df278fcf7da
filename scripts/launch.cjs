// Installs the packages in a fresh clone, and starts the Node 24 that is one of them. Must run on Node 18.
const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const path = require('node:path');
const { ensureInstalled, node24, root } = require('./packages.cjs');

const [name, ...args] = process.argv.slice(2);
// Benchmarks are in a folder of their own.
const script = path.join(root, name.startsWith('bench/') ? '' : 'scripts', `${name}.mjs`);

// npm puts Node 24 first on the PATH of its commands after it is installed: only the first command of a fresh clone runs on
// the Node of the machine.
if (!existsSync(node24)) ensureInstalled();
// For every Node that a command starts: a program then starts with a tenth to a fifth less processor time.
process.env.NODE_COMPILE_CACHE ??= path.join(root, '.cache', 'compiled');
if (parseInt(process.versions.node, 10) >= 24) {
  process.argv.splice(1, 2, script);
  void import(script);
} else {
  const child = spawn(node24, [...process.execArgv, script, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code === null ? 1 : code));
}
