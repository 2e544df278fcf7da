// The packages of the lock file, among them the project's own Node. Must run on Node 18, before anything is installed.
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { nodePackage, npmEnvironment } = require('./own-npm.cjs');

const root = path.join(__dirname, '..');
/** Node 24 from the npm package for this system, with the digest of the lock file; the machine's own Node may be older. */
const node24 = path.join(
  root,
  'node_modules',
  nodePackage(),
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);
const installedFrom = path.join(root, 'node_modules', '.ringdown-lock');

function print(line) {
  process.stderr.write(`${line}\n`);
}

function fail(line) {
  print(`ringdown: ${line}`);
  process.exit(1);
}

/** Runs a command and shows its output only when it fails. */
function quietly(what, command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options });
  if (result.status === 0) return result.stdout;
  print(`${result.stdout || ''}${result.stderr || ''}`.trim());
  return fail(`${what} failed${result.error ? `: ${result.error.message}` : ''}`);
}

/** Installs exactly what the lock file names, once for each state of the lock file. */
function ensureInstalled() {
  const lock = readFileSync(path.join(root, 'package-lock.json'));
  const digest = createHash('sha256').update(lock).digest('hex');
  if (existsSync(node24) && existsSync(installedFrom) && readFileSync(installedFrom, 'utf8') === digest) return;
  print('Installing packages (about a minute the first time) …');
  quietly('npm ci', 'npm', ['ci', '--no-audit', '--no-fund'], { env: environmentFor(JSON.parse(lock.toString())) });
  // npm skips an optional package that it cannot get, also one with another digest.
  if (!existsSync(node24))
    fail(`npm ci has not installed ${nodePackage()}: it is missing, or differs from package-lock.json`);
  writeFileSync(installedFrom, digest);
}

function environmentFor(lock) {
  try {
    return npmEnvironment({ root, folder: path.join(root, '.cache', 'tools'), lock, print });
  } catch (error) {
    return fail(error.message);
  }
}

module.exports = { root, node24, print, fail, quietly, ensureInstalled };
