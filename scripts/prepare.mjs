// What commands of package.json need first: packages, a build, servers. Runs on the project's own Node (run.cjs).
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureBundled, programFile, programThere } from './bundle/ensure-bundled.mjs';
import { consoleSources } from './bundle/console-sources.mjs';
import { fail, node24, quietly, root, print } from './packages.cjs';
import { isProgramThere } from './test-servers.mjs';

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

/** The bus of tests, unless they are told to use another one. */
export function ensureTestBus() {
  if (!process.env.NATS_URL) ensureNatsServer();
}
