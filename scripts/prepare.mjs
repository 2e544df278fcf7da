// What commands of package.json need first: packages, a build, servers. Runs on the project's own Node (run.cjs).
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureBundled, programFile, programThere } from './bundle/ensure-bundled.mjs';
import { consoleSources } from './bundle/console-sources.mjs';
import { fail, node24, quietly, root, print } from './packages.cjs';

export { ensureBundled, programFile, programThere } from './bundle/ensure-bundled.mjs';
export { ensureInstalled, fail, node24, quietly, root, print } from './packages.cjs';

/** Settings of `.env` are for compose as well; what is set in the environment wins. */
export function loadEnvFile() {
  const file = process.env.RINGDOWN_ENV_FILE || join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}

/**
 * Runs a program (`ringdown/backup`) of a system that has been started, and ends with its exit code. Installing and building are the business
 * of `npm start`: nothing may change under a system that runs.
 */
export function runBuilt(program, settings = {}) {
  const file = programThere(program);
  if (file === undefined) fail('nothing is built yet; run "npm start" first');
  const env = { ...process.env, ...settings };
  const { status } = spawnSync(node24, [file, ...process.argv.slice(2)], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}

/** What the bundler makes of the console, inside of the folder of compiled files. */
const SITE = 'site';
const CONSOLE = 'apps/console';
const consoleFolder = join(root, CONSOLE);

/** Folders of workspaces, such as `libs/settings`, from the root. */
export function workspaceFolders() {
  return globSync('{apps,libs,tests}/*/tsconfig.json', { cwd: root }).map((file) => dirname(file));
}

/** Compiled files whose source is gone; the compiler leaves them, and a deleted test would go on running. */
function removeOrphans(folders) {
  for (const folder of folders) {
    const dist = join(root, folder, 'dist');
    if (!existsSync(dist)) continue;
    for (const file of readdirSync(dist, { recursive: true })) {
      const source = join(root, folder, file.replace(/\.(js|d\.ts)(\.map)?$/, ''));
      if (join(root, folder, file) === source || file.startsWith(SITE)) continue;
      if (!existsSync(`${source}.ts`) && !existsSync(`${source}.tsx`)) rmSync(join(dist, file));
    }
  }
}

/** Builds these workspaces with what they refer to; all, and the programs, where none is named. */
export function ensureBuilt(folders = []) {
  if (folders.length === 0) ensurePrograms();
  else ensureCompiled(folders);
  if (folders.length === 0 || folders.includes(CONSOLE)) ensureConsoleBuilt();
}

/** Compiles what has changed, and bundles the programs: all, as they share chunks, and are of one state of the sources. */
export function ensurePrograms() {
  ensureCompiled();
  ensureBundled();
}

/** Compiles what has changed; a second or two when nothing has. */
function ensureCompiled(folders = []) {
  if (!existsSync(join(root, 'apps', 'ringdown', 'dist', 'src', 'main.js'))) print('Building …');
  quietly('the build', node24, compileArguments(folders));
}

/** What Node is given to compile these workspaces with what they refer to; removes what was compiled of files that are gone. */
export function compileArguments(folders = []) {
  removeOrphans(folders.length === 0 ? workspaceFolders() : folders);
  return [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', ...folders];
}

/** Ends with what is wrong in the settings, if anything is. A second's work, for before what takes longer. */
export function checkSettings() {
  const { status } = spawnSync(node24, [programFile('ringdown/check-settings')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** Whether no file that goes into the console is newer than the last bundle. */
export function isConsoleBuilt() {
  const bundle = join(consoleFolder, 'dist', SITE, 'index.html');
  const madeAt = existsSync(bundle) ? statSync(bundle).mtimeMs : 0;
  return consoleSources().every((file) => statSync(join(root, file)).mtimeMs <= madeAt);
}

export function ensureConsoleBuilt() {
  if (isConsoleBuilt()) return;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  quietly('bundling the console', node24, [vite, 'build', consoleFolder, '--logLevel', 'warn']);
}

const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/** Servers, and a browser, that Debian packages; `settings` keep a package from starting anything by itself. */
const servers = {
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
  pgbouncer: {
    advice: 'or put its binary on the PATH; the tests of the database need a real pooler',
    settings: '',
  },
  haproxy: {
    advice: 'or put its binary on the PATH; the tests of the balancer in front of the collectors need a real one',
    settings: '',
  },
  caddy: {
    advice: 'or put its binary on the PATH; the tests of the edge in front of the services need a real one',
    settings: '',
  },
  pebble: {
    advice:
      'or put its binary and that of pebble-challtestsrv on the PATH; the tests of certificates need a real authority',
    settings: '',
  },
  'systemd-analyze': {
    package: 'systemd',
    advice: 'or put its binary on the PATH; the test of the unit of the sender reads it as systemd does',
    settings: '',
  },
  tshark: {
    advice: 'or put its binary on the PATH; the tests of the reader of captures compare it with tshark',
    settings: '',
  },
  // Debian's package starts one at its usual port; the tests start their own.
  'prometheus-alertmanager': {
    advice: 'or put its binary on the PATH; the tests of alerts need a real one',
    settings: '',
  },
  aiosmtpd: {
    package: 'python3-aiosmtpd',
    advice: 'or put its binary on the PATH; the tests of e-mail about alerts need a real mail server',
    settings: '',
  },
  rtpengine: {
    package: 'rtpengine-daemon',
    advice: 'or put its binary on the PATH; the tests of the sender with phones need a real media relay',
    settings: '',
  },
  baresip: {
    package: 'baresip-core',
    advice: 'or put its binary on the PATH; the tests of the sender with phones need real ones',
    settings: '',
  },
  ip: {
    package: 'iproute2',
    advice: 'or put its binary on the PATH; the phones of the tests have networks of their own',
    settings: '',
  },
  iptables: {
    advice: 'or put its binary on the PATH; the phones of the tests are behind NAT and lose packets',
    settings: '',
  },
  chromium: {
    advice: 'or put its binary on the PATH; the tests of the console need a real browser',
    settings: '',
  },
  'chromium-headless-shell': {
    advice: '',
    settings: '',
  },
  debootstrap: {
    advice: '',
    settings: '',
  },
  'docker-registry': {
    advice: '',
    settings: '',
  },
  skopeo: {
    advice: '',
    settings: '',
  },
};

export function isProgramThere(name, ...more) {
  const folders = [...(process.env.PATH ?? '').split(':'), ...SERVER_FOLDERS, ...more];
  return folders.some((folder) => existsSync(join(folder, name)));
}

const SERVICE_POLICY = '/usr/sbin/policy-rc.d';

/** Debian's packages ask this program whether they may start what they have installed. */
function withoutStartingServices(install) {
  if (existsSync(SERVICE_POLICY)) return install();
  writeFileSync(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return install();
  } finally {
    rmSync(SERVICE_POLICY);
  }
}

/** A server from the PATH, or else from Debian's packages where this user may install them. */
function ensureServer(name) {
  const { advice, package: packageName = name } = servers[name];
  if (isServerThere(name)) return;
  fail(`${name} is missing. Do one of these: install it (Debian: apt-get install ${packageName}), ${advice}`);
}

/** Installs it where it is missing and this user may. */
function isServerThere(name) {
  const { settings, package: packageName = name } = servers[name];
  if (isProgramThere(name)) return true;
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!mayInstall) return false;
  print(`Installing ${name} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
  if (settings !== '') spawnSync('debconf-set-selections', [], { env, input: settings });
  const install = ['install', '-y', '-qq', '--no-install-recommends', packageName];
  return withoutStartingServices(() => spawnSync('apt-get', install, { env })).status === 0;
}

/** Of whatever version. */
export function isNatsServerThere() {
  return isProgramThere('nats-server', join(root, '.cache', 'nats-server'));
}

/** A nats-server of 2.10 or later, from Debian 13 where this machine has none. Says by itself what is wrong. */
export function ensureNatsServer() {
  const { status } = spawnSync(node24, [programFile('embedded/install-nats-server')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(1);
}

/** Needed by the tests alone: bus, directory, SIP platforms, what starts a sender beside them, tshark, browser. */
export function ensureTestServers() {
  ensureTestBus();
  ensureSlapd();
  ensureSipPlatforms();
  ensureServer('pgbouncer');
  ensureServer('haproxy');
  ensureServer('caddy');
  ensureServer('pebble');
  ensureServer('systemd-analyze');
  ensureServer('tshark');
  ensureServer('prometheus-alertmanager');
  ensureServer('aiosmtpd');
  ensureChromium();
  // Needs less processor time; the tests do without it (apps/console/test/launch-chromium.ts).
  isServerThere('chromium-headless-shell');
  // Before tests beside each other use apt; without them, those of packages, and of images in a registry, are left out.
  isDebootstrapThere();
  isRegistryThere();
}

/** Needed by the tests of packages alone: makes the smallest Debian. */
export function isDebootstrapThere() {
  return isServerThere('debootstrap');
}

/** Needed by the tests of images alone: a registry, and what asks registries. */
export function isRegistryThere() {
  return isServerThere('docker-registry') && isServerThere('skopeo');
}

/** Proxy, media relay, phones, and what makes networks for them. */
export function ensureSipPlatforms() {
  for (const name of ['kamailio', 'rtpengine', 'sipp', 'baresip', 'ip', 'iptables']) ensureServer(name);
}

export function ensureTestBus() {
  if (!process.env.NATS_URL) ensureNatsServer();
}

/** Needed by the tests alone: what opens the console there. */
export function ensureChromium() {
  ensureServer('chromium');
}

/** Needed by the tests alone; a system that uses a directory server brings its own. */
export function ensureSlapd() {
  ensureServer('slapd');
}
