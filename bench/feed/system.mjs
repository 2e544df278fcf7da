// What is measured: a collector and aggregators with a bus and a database of their own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDatabase } from '@ringdown/embedded/database';
import { createLogger } from '@ringdown/observability';
import { findPostgres, startPostgresServer } from '../postgres-server.mjs';
import { treeSeconds } from '../process-tree.mjs';
import { cpuSeconds, Servers } from '../servers.mjs';
import { makeBacklog, WARM_UP } from './drain.mjs';
import { post } from './load.mjs';
import { Watch } from './watch.mjs';

export const CONNECTIONS = 64;
/** A very slow server is compiled well enough by then. */
const WARM_UP_SECONDS = 60;
const REST_MS = 2_000;
const BUS_BYTES = String(8 * 1024 ** 3);
export const logger = createLogger('bench', { logLevel: 'warn', logFormat: 'json' });
export const postgres = findPostgres();
let firstCall = 0;

export function log(line) {
  process.stderr.write(`${line}\n`);
}

/** Lets processes end what they do behind their answers. */
export function rest() {
  return sleep(REST_MS);
}

/** Posts records of calls that were not posted before. */
export function posting(how, onStart) {
  firstCall += 20_000_000;
  return post({ connections: CONNECTIONS, shape: 'feed', from: firstCall, ...how }, onStart);
}

/** As many records as Node's compilers need, as fast as the server takes them, and a rest. Returns what `posting` does. */
export async function warmUp(how) {
  const posted = await posting({ ...how, seconds: WARM_UP_SECONDS, most: WARM_UP });
  await rest();
  return posted;
}

/** With its own bus, and a folder for other servers. */
export async function alone(work) {
  const servers = new Servers();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-bench-feed-'));
  try {
    return await work(servers, await servers.startBus(), folder);
  } finally {
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** With its own bus and database. */
export async function withDatabase(work, start = () => startPostgresServer(postgres)) {
  const server = await start();
  try {
    return await alone((servers, nats) => work(servers, nats, server));
  } finally {
    await server.stop();
  }
}

/** The embedded PostgreSQL in a temporary folder, as with `npm start`. */
export async function startEmbedded() {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-bench-embedded-'));
  const database = await startDatabase({ folder, logger });
  return {
    url: database.url,
    pid: database.pid,
    folder,
    isEmbedded: true,
    settings: {},
    cpuSeconds: () => treeSeconds(database.pid),
    stop: async () => {
      await database.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** With its own account of the bus, as it is deployed: no aggregator makes the streams here. */
export async function startCollector(servers, nats, env = {}) {
  await makeBacklog(nats.url, []);
  const settings = {
    COLLECTOR_PORT: '0',
    COLLECTOR_HOST: '127.0.0.1',
    RECORDS_MAX_BYTES: BUS_BYTES,
    LOG_LEVEL: 'info',
  };
  return servers.service('collector', { NATS_URL: nats.urlOf('collector').current, ...settings, ...env });
}

export function startAggregator(servers, nats, { url, settings }, more = {}) {
  const env = { NATS_URL: nats.url, DATABASE_URL: url, RECORDS_MAX_BYTES: BUS_BYTES, ...settings, ...more };
  return servers.service('aggregator', env);
}

/** Collector, bus, aggregator and database, warm; `clocks`: the processor time of each so far, without that of the watch. */
export async function startPipeline(servers, nats, server, { collectorEnv = {}, aggregatorEnv = {} } = {}) {
  const collector = await startCollector(servers, nats, collectorEnv);
  const aggregator = await startAggregator(servers, nats, server, aggregatorEnv);
  const watch = new Watch(server);
  await watch.start();
  const began = performance.now();
  let records = 0;
  const pipeline = {
    base: collector.base,
    collector,
    aggregator,
    watch,
    clocks: {
      collector: () => cpuSeconds(collector.pid),
      bus: () => cpuSeconds(nats.pid),
      aggregator: () => cpuSeconds(aggregator.pid),
      PostgreSQL: () => server.cpuSeconds() - watch.cpuSeconds(),
      watch: () => watch.cpuSeconds() + process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    },
    /** Posts, and waits until all of it is stored. */
    async post(how) {
      const posted = await posting({ base: collector.base, ...how }, (start) => watch.add(start));
      records += posted.acknowledged;
      await watch.untilStored(records);
      return posted;
    },
  };
  await pipeline.post({ seconds: WARM_UP_SECONDS, most: WARM_UP });
  await watch.take();
  pipeline.warmPerSecond = WARM_UP / ((performance.now() - began) / 1_000);
  await rest();
  return pipeline;
}
