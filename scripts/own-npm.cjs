// Downloads a Node and an npm that can install the packages, for machines whose own cannot. Must run on Node 18, before anything is
// installed.
const { spawnSync } = require('node:child_process');
const { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');

/** Older ones (Debian 12 and 13 have 9.2.0) reject the `npm:` in the overrides of the lock file. */
const OLDEST_NPM = '9.3.0';
/** The npm to download instead, with the digest that it must have; the Node for it is the one of the lock file. */
const OWN_NPM = {
  version: '11.19.1',
  integrity: 'sha512-ztsxKxt/kkIaAs+2i0GU6I+DRmUdrNasxTZKJe9TCdSjKxlhah/4r/hl5ygMD6XAg1qZ9c2TNomR4qgOydp10g==',
};

/** The releases of `>=`, `^` and `*`, as in native packages; any other range counts as excluding this version. */
function isWithin(version, range) {
  return range.split('||').some((each) => {
    const text = each.trim();
    if (text === '*') return true;
    const from = text.startsWith('^') ? text.slice(1) : text.startsWith('>=') ? text.slice(2).trim() : undefined;
    if (from === undefined || isOlder(version, from)) return false;
    return !text.startsWith('^') || version.split('.')[0] === from.split('.')[0];
  });
}

function isOlder(version, than) {
  const [ours, theirs] = [version, than].map((text) => text.split('.').map((part) => parseInt(part, 10) || 0));
  for (let i = 0; i < 3; i++) {
    if ((ours[i] || 0) !== (theirs[i] || 0)) return (ours[i] || 0) < (theirs[i] || 0);
  }
  return false;
}

/**
 * The reason why these versions cannot install the packages of this lock file here; undefined if they can. npm silently skips a native
 * package that does not support its Node, and the package is missing only when it is loaded.
 */
function whyUnable({ node, npm }, lock, { platform, arch } = process) {
  if (isOlder(npm, OLDEST_NPM)) return `npm ${npm} is older than ${OLDEST_NPM}`;
  const left = Object.entries(lock.packages).find(([, { optional, os = [], cpu = [], engines = {} }]) => {
    const isNative = optional && os.includes(platform) && cpu.includes(arch);
    return isNative && engines.node !== undefined && !isWithin(node, engines.node);
  });
  if (left === undefined) return undefined;
  const [place, { engines }] = left;
  return `${place.replace('node_modules/', '')} needs Node ${engines.node}, but this is Node ${node}`;
}

/** The package with the Node program for this machine, by the names of the npm package `node`. */
function nodePackage({ platform, arch } = process) {
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

/** Both packages by name, as the lock file knows the one with Node. Throws an Error in one line where there is none. */
function ownPackages(lock) {
  const name = nodePackage();
  const node = lock.packages[`node_modules/${name}`];
  if (node === undefined) throw new Error(`there is no Node for this machine: package-lock.json has no ${name}`);
  return { [name]: node, npm: { ...OWN_NPM, bin: { npm: 'bin/npm-cli.js', npx: 'bin/npx-cli.js' } } };
}

/** Pauses between attempts, milliseconds: npm's defaults are 10 s and a minute, in total two and a half minutes without a network. */
const SHORT_WAITS = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
const INSTALL = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', ...SHORT_WAITS];

/** npm refuses a package whose content has another digest than the one in a lock file. */
function writeLockFile(folder, packages) {
  const dependencies = Object.fromEntries(Object.entries(packages).map(([name, { version }]) => [name, version]));
  const locked = Object.entries(packages).map(([name, { version, integrity, bin }]) => [
    `node_modules/${name}`,
    { version, integrity, bin },
  ]);
  const manifest = { name: 'tools', private: true, dependencies };
  const lock = { name: 'tools', lockfileVersion: 3, packages: Object.fromEntries([['', manifest], ...locked]) };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
}

function installedVersion(folder, name) {
  const file = path.join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}

/** The most useful line of npm's error output: the failed request, or else the first line. */
function reasonOf({ error, stderr }) {
  if (error) return error.message;
  const lines = stderr
    .split('\n')
    .filter((line) => /^npm (?:ERR!|error) /.test(line))
    .map((line) => line.replace(/^npm (?:ERR!|error) /, '').trim());
  return lines.find((line) => line.includes(' failed, reason: ')) || lines[1] || lines[0] || 'npm gives no reason';
}

/** The versions of the npm on the PATH, and of the Node that it runs on. Throws an Error in one line. */
function versionsOnPath(root) {
  const result = spawnSync('npm', ['version', '--json'], { cwd: root, encoding: 'utf8' });
  if (result.error && result.error.code === 'ENOENT') throw new Error('npm is missing; Debian: apt-get install npm');
  try {
    const { node, npm } = JSON.parse(result.stdout);
    if (typeof node === 'string' && typeof npm === 'string') return { node, npm };
  } catch {
    // Reported below.
  }
  throw new Error(
    `the version of npm cannot be read: ${reasonOf({ error: result.error, stderr: result.stderr || '' })}`,
  );
}

/**
 * The environment in which `npm` can install the packages of the lock file: this process's own, or one with a Node and an
 * npm from `folder`, which are downloaded first if they are missing. Throws an Error in one line.
 */
function npmEnvironment({ root, folder, lock, print }) {
  const reason = whyUnable(versionsOnPath(root), lock);
  if (reason === undefined) return process.env;
  const packages = ownPackages(lock);
  const [node, npm] = Object.values(packages);
  const names = `Node ${node.version} and npm ${npm.version}`;
  if (Object.entries(packages).some(([name, { version }]) => installedVersion(folder, name) !== version)) {
    print(`Downloading ${names} for this folder only (${reason}) …`);
    writeLockFile(folder, packages);
    const got = spawnSync('npm', INSTALL, { cwd: folder, encoding: 'utf8' });
    if (got.status !== 0) {
      rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true });
      throw new Error(`${reason}; ${names} could not be downloaded instead: ${reasonOf(got)}`);
    }
  }
  const programs = path.join(folder, 'node_modules', '.bin');
  return { ...process.env, PATH: [programs, process.env.PATH].join(path.delimiter) };
}

module.exports = { nodePackage, npmEnvironment, ownNpm: OWN_NPM, writeLockFile };
