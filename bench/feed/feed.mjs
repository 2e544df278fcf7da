/**
 * The feed from the front ends into the history, measured part by part in one run on the loopback address, next to
 * other software for the same purpose. Build first, then `npm run bench:feed`; with `-- --write` the tables are written
 * to docs/performance.md.
 *   --seconds 10        how long records are posted to each collector
 *   --records 100000    records in the backlog that is drained
 *   --live 100000       calls in progress at the same time
 *   --calls 1000000     calls in the history that pages are read from (10000000 need 60 GB of disk)
 *   --database embedded the history in the embedded PostgreSQL, as with `npm start`; needs `--only history`
 *   --ilike no          without the searches that use no index: each takes a minute on a busy machine
 *   --only history      one part (collectors, together, tracing, live, replicas, history), only printed, never written
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startDatabase } from '@ringdown/embedded/database';
import { createLogger } from '@ringdown/observability';
import { findPostgres, startPostgresServer } from '../postgres-server.mjs';
import { writeReport } from '../report.mjs';
import { cpuSeconds, Servers } from '../servers.mjs';
import { drain, makeBacklog, WARM_UP } from './drain.mjs';
import { FILL_SETTINGS, fillHistory, requestPages, requestStatistics, requestTotals } from './history.mjs';
import { compareWays } from './infix.mjs';
import { post } from './load.mjs';
import { operatorOf } from './operator.mjs';
import { startInflux, startNginx, startTextbook, startWebdis } from './peers.mjs';
import { PLAN_SETTINGS, Plans } from './plans.mjs';
import { feedReport } from './tables.mjs';
import { Watch } from './together.mjs';
import { inTurns } from './tracing.mjs';
import { feed, RECORDS_A_CALL, starts } from './traffic.mjs';

const CONNECTIONS = 64;
/** Records per second: the target for two cores, and half of it. */
const PACES = [4_000, 2_000];
/** SIP messages per second beside the records: about those of 2,000 records a second. */
const MESSAGES = 3_500;
const PACED_WARM_UP_SECONDS = 10;
const WARM_UP_SECONDS = 30;
const BUS_BYTES = String(8 * 1024 ** 3);
const logger = createLogger('bench', { logLevel: 'warn', logFormat: 'json' });

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    records: { type: 'string', default: '100000' },
    live: { type: 'string', default: '100000' },
    calls: { type: 'string', default: '1000000' },
    database: { type: 'string', default: 'server' },
    ilike: { type: 'string', default: 'yes' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const seconds = Number(options.seconds);
const postgres = findPostgres();
let firstCall = 0;

const parts = {
  collectors: benchCollectors,
  ...(postgres && {
    together: benchTogether,
    tracing: () => withDatabase(benchTracing),
    live: () => withDatabase(benchLive),
    replicas: () => withDatabase(benchReplicas),
    history: benchHistory,
  }),
};
const chosen = Object.entries(parts).filter(([name]) => options.only === undefined || name === options.only);
const figures = {
  load: loadavg()[0],
  postgres: postgres !== undefined,
  seconds,
  connections: CONNECTIONS,
  warmUp: WARM_UP,
};
for (const [name, measured] of chosen) figures[name] = await measured();
const report = feedReport(figures);
console.log(report);
if (options.write && options.only === undefined) writeReport('bench:feed', report);
process.exit(0);

async function benchCollectors() {
  const ways = {
    'node:http, a constant': (servers) => servers.bare(new URL('bare.mjs', import.meta.url)),
    'Ringdown collector': (servers, nats) => startCollector(servers, nats),
    'Nest + fast-xml-parser, a publish each': (_servers, nats, folder) => startTextbook(folder, nats),
    'webdis + Redis, appendfsync always': (_servers, _nats, folder) => startWebdis(folder),
    'InfluxDB 1.6': (_servers, _nats, folder) => startInflux(folder),
    'nginx + Lua + PostgreSQL': (_servers, _nats, folder) => startNginx(folder),
  };
  const rows = [];
  for (const [name, start] of Object.entries(ways)) {
    log(`posting to ${name} …`);
    rows.push([name, await alone((servers, nats, folder) => benchCollector(start, servers, nats, folder))]);
  }
  return rows;
}

/** Undefined when the software is missing. */
async function benchCollector(start, servers, nats, folder) {
  const collector = await start(servers, nats, folder);
  if (collector === undefined) return undefined;
  const { base, shape = 'feed', stop = () => undefined } = collector;
  try {
    await warmUp({ base, shape });
    return await posting({ base, shape, seconds });
  } finally {
    await stop();
  }
}

/** Until it has processed its records; a very slow one is compiled well enough by then. */
async function warmUp(how) {
  const until = performance.now() + WARM_UP_SECONDS * 1_000;
  for (let records = 0; records < WARM_UP && performance.now() < until;) {
    const { perSecond } = await posting({ ...how, seconds: 2 });
    records += perSecond * 2;
  }
}

function posting(how, onStart) {
  firstCall += 20_000_000;
  return post({ connections: CONNECTIONS, shape: 'feed', from: firstCall, ...how }, onStart);
}

/** With its own bus, and a folder for other servers. */
async function alone(work) {
  const servers = new Servers();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-bench-feed-'));
  try {
    return await work(servers, await servers.startBus(), folder);
  } finally {
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** With its own account of the bus, as it is deployed: no aggregator makes the streams here. */
async function startCollector(servers, nats) {
  await makeBacklog(nats.url, []);
  const settings = {
    COLLECTOR_PORT: '0',
    COLLECTOR_HOST: '127.0.0.1',
    RECORDS_MAX_BYTES: BUS_BYTES,
    LOG_LEVEL: 'info',
  };
  return servers.service('collector', { NATS_URL: nats.urlOf('collector').current, ...settings });
}

function startAggregator(servers, nats, { url, settings }) {
  const env = { NATS_URL: nats.url, DATABASE_URL: url, RECORDS_MAX_BYTES: BUS_BYTES, ...settings };
  return servers.service('aggregator', env);
}

/** With its own bus and database. */
async function withDatabase(work, start = () => startPostgresServer(postgres)) {
  const server = await start();
  try {
    return await alone((servers, nats) => work(servers, nats, server));
  } finally {
    await server.stop();
  }
}

async function benchTogether() {
  const rows = [];
  for (const pace of PACES) {
    log(`posting ${pace} records a second to collector and aggregator …`);
    rows.push({ pace, ...(await withDatabase((...running) => benchPace(pace, ...running))) });
  }
  return rows;
}

async function benchPace(pace, servers, nats, server) {
  const { base } = await startCollector(servers, nats);
  await startAggregator(servers, nats, server);
  const watch = new Watch(server);
  await watch.start();
  const paced = { base, after: PACED_WARM_UP_SECONDS, seconds: seconds * 2, perSecond: pace };
  const posted = await posting(paced, (start) => watch.add(start));
  return { posted, queryable: await watch.stop() };
}

async function benchTracing(servers, nats, server) {
  log('posting records without and beside messages of calls, in turns …');
  const { base } = await startCollector(servers, nats);
  await startAggregator(servers, nats, server);
  await warmUp({ base, shape: 'feed' });
  const turns = await inTurns({ base, perSecond: MESSAGES, posting: () => posting({ base, seconds }) });
  return { perSecond: MESSAGES, turns };
}

async function benchLive(servers, nats, server) {
  const calls = Number(options.live);
  log(`starting ${calls} calls that go on …`);
  const records = await makeBacklog(nats.url, starts({ calls }));
  const drained = await drain({ records, server, start: async () => [await startAggregator(servers, nats, server)] });
  return { calls, ...drained };
}

/** They share the partitions while they run. */
async function benchReplicas(servers, nats, server) {
  const start = () => Promise.all([1, 2].map(() => startAggregator(servers, nats, server)));
  return drain({ records: await backlog(nats), server, start });
}

async function backlog(nats) {
  const calls = Math.ceil(Number(options.records) / RECORDS_A_CALL);
  log(`draining ${calls * RECORDS_A_CALL} records …`);
  return makeBacklog(nats.url, feed({ calls, begin: Date.now() - 3_600_000 }));
}

function benchHistory() {
  if (options.database === 'embedded') return withDatabase(benchDrainAndHistory, startEmbedded);
  return withDatabase(benchDrainAndHistory, () =>
    startPostgresServer(postgres, { ...PLAN_SETTINGS, ...FILL_SETTINGS }),
  );
}

/** The embedded PostgreSQL in a temporary folder, as with `npm start`. */
async function startEmbedded() {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-bench-embedded-'));
  const database = await startDatabase({ folder, logger });
  return {
    url: database.url,
    isEmbedded: true,
    settings: {},
    cpuSeconds: () => cpuSeconds(database.pid),
    stop: async () => {
      await database.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function benchDrainAndHistory(servers, nats, server) {
  const records = await backlog(nats);
  let aggregator;
  const start = async () => [(aggregator = await startAggregator(servers, nats, server))];
  const drained = await drain({ records, server, start });
  log(`filling the history with ${options.calls} calls …`);
  const filled = await fillHistory(server, Number(options.calls), log);
  const operator = await operatorOf(nats.url, logger);
  try {
    log('reading pages …');
    const plans = server.logFolder === undefined ? undefined : new Plans(server);
    const cpu = () => server.cpuSeconds();
    const pages = await requestPages(aggregator.base, operator.token, { plans, cpu, log });
    const totals = await requestTotals(aggregator.base, operator.token);
    log('reading statistics …');
    const statistics = await requestStatistics(aggregator.base, operator.token);
    // Without an index, and without a second core, the other ways take minutes.
    if (server.isEmbedded || options.ilike === 'no') return { drained, ...filled, pages, totals, statistics };
    log('searching for parts of texts …');
    return { drained, ...filled, pages, totals, statistics, ways: await compareWays(server) };
  } finally {
    await operator.stop();
  }
}

function log(line) {
  process.stderr.write(`${line}\n`);
}
