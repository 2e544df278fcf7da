// `npm run dev`: the whole system, compiled and restarted after each change of a source. `npm run dev -- collector aggregator`:
// these services, each in a process of its own. `--inspect`: with a debugger's port, 9229 and up. Ctrl-C ends all.
import { parseArgs } from 'node:util';
import { compile } from './compiler.mjs';
import { serviceNames, startDevServers } from './dev-servers.mjs';
import { DevProgram } from './program.mjs';
import { watchSources, withReferences } from './watch-sources.mjs';
import { whenNpmIsGone } from '../npm-gone.mjs';
import { ensureBuilt, ensureInstalled, ensureNatsServer, fail, loadEnvFile, print } from '../prepare.mjs';

const FIRST_INSPECT_PORT = 9229;
/** The page is served by the whole system, which does not refer to it. */
const CONSOLE = 'apps/console';

const { values: options, positionals: services } = parseArgs({
  allowPositionals: true,
  options: { inspect: { type: 'boolean' } },
});
loadEnvFile();
ensureInstalled();
ensureBuilt();
if (!process.env.NATS_URL) ensureNatsServer();

const known = await serviceNames();
const unknown = services.find((service) => !known.includes(service));
if (unknown !== undefined) fail(`there is no service ${unknown}; there are ${known.join(', ')}`);
const servers =
  services.length === 0 ? undefined : await startDevServers(services).catch((error) => fail(error.message));
const names = services.length === 0 ? ['ringdown'] : services;
const folders = names.map((name) => `apps/${name}`).concat(services.length === 0 ? [CONSOLE] : []);
const programs = names.map(
  (name, index) =>
    new DevProgram({
      name,
      env: servers?.envOf(name) ?? process.env,
      folders: withReferences(name === 'ringdown' ? folders : [`apps/${name}`]),
      inspectPort: options.inspect ? FIRST_INSPECT_PORT + index : undefined,
    }),
);

let isEnding = false;
/** The change being processed; the next one begins when it is done. */
let working = Promise.resolve();

/** Programs that a change of these files concerns; none where only tests have changed. */
function concerned(files) {
  const sources = files.filter((file) => !/\.spec\.tsx?$/.test(file));
  return programs.filter(({ folders }) =>
    sources.some((file) => folders.some((folder) => file.startsWith(`${folder}/`))),
  );
}

async function applyChange(files) {
  if (isEnding) return;
  const since = performance.now();
  if (!(await compile(folders))) {
    print('dev: this does not compile; what was running continues to run');
    return;
  }
  const stale = isEnding ? [] : concerned(files);
  const took = `compiled in ${((performance.now() - since) / 1000).toFixed(1)} s`;
  print(`dev: ${files[0]}${files.length > 1 ? ` and ${files.length - 1} more` : ''}: ${took}`);
  if (stale.length > 0) print(`dev: restarting ${stale.map(({ name }) => name).join(', ')}`);
  await Promise.all(stale.map((program) => program.restart()));
}

async function end() {
  if (isEnding) return;
  isEnding = true;
  await working;
  await Promise.all(programs.map((program) => program.stop()));
  await servers?.stop();
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end());
whenNpmIsGone(() => void end());
watchSources(withReferences(folders), (files) => {
  working = working.then(() => applyChange(files));
});
for (const program of programs) program.start();
if (servers !== undefined) print(`dev: ${services.join(', ')} with the data folder ${servers.folder}`);
