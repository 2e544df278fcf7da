/**
 * What each service loads: JavaScript modules from its start to its end, and its memory while it is idle. Build first,
 * then `npm run -s bench:modules`; `-- --list NAME` prints the npm packages that one service loads. Of the compiled files: bundles (docs/adr/0088)
 * have all of them in a few.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startNatsServer } from '@ringdown/embedded/bus';
import { startDatabase } from '@ringdown/embedded/database';
import { createLogger } from '@ringdown/observability';
import { freePorts } from '@ringdown/testing/launched-system';
import { LoadedModules, npmPackages } from '@ringdown/testing/loaded-modules';
import { table } from '../report.mjs';
import { megabytes } from '../servers.mjs';

const SERVICES = ['discovery-auth', 'application-people', 'aggregator', 'collector', 'subscribers'];
/** Modules that are loaded lazily after a start are loaded by then. */
const SETTLED_MS = 2_000;

const { values: wanted } = parseArgs({ options: { list: { type: 'string' } } });
const logger = createLogger('bench', { logLevel: 'warn', logFormat: 'json' });
const folder = mkdtempSync(join(tmpdir(), 'ringdown-bench-'));
const modules = new LoadedModules();
const nats = await startNatsServer({ folder: join(folder, 'nats'), logger, password: 'bench' });
const database = await startDatabase({ folder: join(folder, 'db'), logger });
try {
  const env = {
    NATS_URL: nats.url,
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    IDENTITY_SEED: 'the seed of this benchmark',
    SERVICE_PORT: '0',
    INNER_PORT: '0',
    COLLECTOR_PORT: '0',
  };
  const ports = await freePorts();
  const alone = { DATA_DIR: join(folder, 'alone'), LISTEN_HOST: '127.0.0.1', ...ports };
  const rows = [];
  for (const name of [...SERVICES, 'ringdown'])
    rows.push([name, await measure(name, name === 'ringdown' ? alone : env)]);
  const list = rows.find(([name]) => name === wanted.list)?.[1].files;
  if (list !== undefined) console.log(`${npmPackages(list).join('\n')}\n`);
  console.log(
    table([
      ['Process', 'Modules', 'of these our own', 'Packages', 'Memory, MB'],
      ...rows.map(([name, { files, memory }]) => [
        name,
        ...[files.length, files.filter(isOurs).length, npmPackages(files).length, Math.round(memory)].map(String),
      ]),
    ]),
  );
} finally {
  await database.stop();
  await nats.stop();
  modules.remove();
  rmSync(folder, { recursive: true, force: true });
}

function isOurs(file) {
  return !file.includes('/node_modules/');
}

async function measure(name, env) {
  const main = fileURLToPath(new URL(`../../apps/${name}/dist/src/main.js`, import.meta.url));
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'info', ...modules.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.resume();
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} did not start`)));
  await Promise.race([untilRunning(name === 'ringdown' ? child.stdout : child.stderr, name), ended]);
  await sleep(SETTLED_MS);
  const memory = megabytes(child.pid);
  const exit = once(child, 'exit');
  ended.catch(() => undefined);
  child.kill('SIGTERM');
  await exit;
  return { memory, files: modules.of(child.pid) };
}

/** A service logs that it is running; `ringdown` prints its address. */
async function untilRunning(output, name) {
  const line = name === 'ringdown' ? 'https://' : `${name} is running`;
  for await (const each of createInterface({ input: output })) if (each.includes(line)) break;
  output.resume();
}
