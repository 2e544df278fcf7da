// Bus and database for services that `npm run dev -- SERVICE…` runs: those that the settings name, or embedded ones in a data
// folder of their own, which keep running while the services are restarted.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { node24, programFile, root } from '../prepare.mjs';

const FIRST_USERS = programFile('discovery-auth/people');

/** From what has been built just now. */
function built(file) {
  return import(join(root, file));
}

/** Services that can run as a process of their own: those that have a key for the bus. */
export async function serviceNames() {
  const { BUS_USER_NAMES } = await built('libs/embedded/dist/src/doors/bus.js');
  // Those belong to a command.
  return BUS_USER_NAMES.filter((name) => !name.startsWith('backup'));
}

/** Where a setting is given as an empty text, it counts as not given. */
function given(name) {
  return process.env[name]?.trim() || undefined;
}

/** 0 is any that is free, for each. */
function portAfter(first, count) {
  return String(Number(first) === 0 ? 0 : Number(first) + count);
}

/** Throws an Error in one line. `envOf` makes the environment of a service; each has ports of its own. */
export async function startDevServers(services) {
  const { freePort } = await built('libs/embedded/dist/src/index.js');
  const { makeBusKeys, startNatsServer } = await built('libs/embedded/dist/src/doors/bus.js');
  const { startDatabase } = await built('libs/embedded/dist/src/doors/database.js');
  const { createLogger } = await built('libs/observability/dist/src/index.js');
  const { DataFolder } = await built('apps/ringdown/dist/src/data-folder.js');
  const logger = createLogger('dev', { logLevel: 'warn', logFormat: 'pretty' });
  const data = await DataFolder.open(given('DATA_DIR') ?? join(root, 'data', 'dev'));
  const needsDatabase = services.includes('aggregator') && given('DATABASE_URL') === undefined;
  // Port and keys stay when the server itself is restarted: a service in a process of its own reads them once.
  const [bus, database] = await Promise.all([
    given('NATS_URL') === undefined &&
      startNatsServer({ folder: data.in('nats'), logger, port: await freePort(), keys: makeBusKeys() }),
    needsDatabase && startDatabase({ folder: data.in('database'), logger }),
  ]);
  const env = {
    LOG_FORMAT: 'pretty',
    IDENTITY_SEED: data.secret('identity-seed'),
    TOKEN_KEY: data.secret('token-key'),
    ...process.env,
    DATA_DIR: data.path,
  };
  if (database) Object.assign(env, { DATABASE_URL: database.url });
  spawnSync(node24, [FIRST_USERS, 'ensure-first-users'], { cwd: root, env, stdio: ['ignore', 2, 2] });
  return {
    folder: data.path,
    envOf: (service) => ({
      ...env,
      SERVICE_PORT: portAfter(given('SERVICE_PORT') ?? 8000, services.indexOf(service)),
      INNER_PORT: portAfter(given('INNER_PORT') ?? 8790, services.indexOf(service)),
      ...(bus && { NATS_URL: bus.urlOf(service).current }),
    }),
    stop: async () => {
      await Promise.all([bus && bus.stop(), database && database.stop()]);
      data.release();
    },
  };
}
