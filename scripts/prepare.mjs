// What every command of package.json needs first: packages, a build, the project's own Node. Runs on Node 20 or later.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');
/** Node 24 from the npm package `node`; what runs these scripts may be older. */
export const node24 = join(root, 'node_modules', 'node', 'bin', 'node');
const installedFrom = join(root, 'node_modules', '.ringdown-lock');

export function say(line) {
  process.stderr.write(`${line}\n`);
}

export function fail(line) {
  say(`ringdown: ${line}`);
  process.exit(1);
}

/** Settings of `.env` are for compose as well; what is set in the environment wins. */
export function loadEnvFile() {
  const file = join(root, '.env');
  const before = { ...process.env };
  if (existsSync(file) && process.loadEnvFile) process.loadEnvFile(file);
  Object.assign(process.env, before);
}

/** Runs a command and shows its output only when it fails. */
export function quietly(what, command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options });
  if (result.status === 0) return result.stdout;
  say(`${result.stdout ?? ''}${result.stderr ?? ''}`.trim());
  return fail(`${what} failed${result.error ? `: ${result.error.message}` : ''}`);
}

/** Installs exactly what the lock file names, once for each state of the lock file. */
export function ensureInstalled() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) fail(`Node 20 or later is needed to start; this is ${process.versions.node}`);
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(node24) && existsSync(installedFrom) && readFileSync(installedFrom, 'utf8') === lock) return;
  say('Installing packages (about a minute the first time) …');
  quietly('npm ci', 'npm', ['ci', '--no-audit', '--no-fund']);
  writeFileSync(installedFrom, lock);
}

/** What the bundler makes of the console, inside of the folder of compiled files. */
const SITE = 'site';
const consoleFolder = join(root, 'apps', 'console');

/** Compiled files whose source is gone; the compiler leaves them, and a deleted test would go on running. */
function removeOrphans() {
  for (const group of ['apps', 'libs', 'tests']) {
    for (const name of readdirSync(join(root, group))) {
      const dist = join(root, group, name, 'dist');
      if (!existsSync(dist)) continue;
      for (const file of readdirSync(dist, { recursive: true })) {
        const source = join(root, group, name, file.replace(/\.(js|d\.ts)(\.map)?$/, ''));
        if (join(root, group, name, file) === source || file.startsWith(SITE)) continue;
        if (!existsSync(`${source}.ts`) && !existsSync(`${source}.tsx`)) rmSync(join(dist, file));
      }
    }
  }
}

/** Compiles what has changed; a second or two when nothing has. */
export function ensureBuilt() {
  if (!existsSync(join(root, 'apps', 'ringdown', 'dist', 'src', 'main.js'))) say('Building …');
  removeOrphans();
  quietly('the build', node24, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b']);
  ensureConsoleBuilt();
}

/** Bundles the console when a file that goes into it is newer than the last bundle. */
export function ensureConsoleBuilt() {
  const sources = [join(root, 'package-lock.json')];
  for (const name of ['index.html', 'vite.config.mjs', 'public', 'src']) {
    const path = join(consoleFolder, name);
    sources.push(path);
    if (!statSync(path).isDirectory()) continue;
    // Folders as well: they tell of files that are gone.
    sources.push(...readdirSync(path, { recursive: true }).map((file) => join(path, file)));
  }
  const bundle = join(consoleFolder, 'dist', SITE, 'index.html');
  const madeAt = existsSync(bundle) ? statSync(bundle).mtimeMs : 0;
  if (sources.every((file) => statSync(file).mtimeMs <= madeAt)) return;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  quietly('bundling the console', node24, [vite, 'build', consoleFolder, '--logLevel', 'warn']);
}

const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/** Servers, and a browser, that Debian packages; `settings` keep a package from starting anything by itself. */
const servers = {
  'nats-server': {
    advice: 'put its binary on the PATH, or set NATS_URL to a server that runs already',
    settings: '',
  },
  slapd: {
    advice: 'or put its binary on the PATH; the tests of the LDAP directory need a real one',
    settings: 'slapd slapd/no_configuration boolean true',
  },
  // Debian's package does not start it before it is told to.
  kamailio: {
    advice: 'or put its binary on the PATH; the tests of the sender need a real SIP proxy',
    settings: '',
  },
  sipp: {
    package: 'sip-tester',
    advice: 'or put its binary on the PATH; the tests of the sender need real SIP phones',
    settings: '',
  },
  'systemd-analyze': {
    package: 'systemd',
    advice: 'or put its binary on the PATH; the test of the unit of the sender reads it as systemd does',
    settings: '',
  },
  chromium: {
    advice: 'or put its binary on the PATH; the tests of the console need a real browser',
    settings: '',
  },
};

/** A server from the PATH, or else from Debian's packages where this user may install them. */
function ensureServer(name) {
  const { advice, settings, package: packageName = name } = servers[name];
  const folders = [...(process.env.PATH ?? '').split(':'), ...SERVER_FOLDERS];
  if (folders.some((folder) => existsSync(join(folder, name)))) return;
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (mayInstall) {
    say(`Installing ${name} …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
    if (settings !== '') spawnSync('debconf-set-selections', [], { env, input: settings });
    const installed = spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', packageName], { env });
    if (installed.status === 0) return;
  }
  fail(`${name} is missing. Do one of these: install it (Debian: apt-get install ${packageName}), ${advice}`);
}

export function ensureNatsServer() {
  ensureServer('nats-server');
}

/** Needed by the tests alone: what SIP front ends and phones are there, and what starts a sender beside them. */
export function ensureSipPlatform() {
  ensureServer('kamailio');
  ensureServer('sipp');
  ensureServer('systemd-analyze');
}

/** Needed by the tests alone: what opens the console there. */
export function ensureChromium() {
  ensureServer('chromium');
}

/** Needed by the tests alone; a system that uses a directory server brings its own. */
export function ensureSlapd() {
  ensureServer('slapd');
}
