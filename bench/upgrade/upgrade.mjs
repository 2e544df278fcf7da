/**
 * How long the upgrade of a long history takes, and how much room: a database that an earlier commit has filled is opened
 * by this version, while calls go on. Build first, then `npm run bench:upgrade`; with `-- --write` the table is written to
 * docs/performance.md.
 *   --from c8ee6b49     the earlier commit; it is checked out, installed and built in a temporary folder
 *   --built FOLDER      a folder with that commit, built already
 *   --calls 1000000     calls in the history
 *   --only way-back     instead of it: the copy before the upgrade of `npm start`, and the way back, which needs three times the disk
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { findPostgres, startPostgresServer } from '../postgres-server.mjs';
import { measuredOn, table, writeReport } from '../report.mjs';
import { Servers } from '../servers.mjs';
import { ensureNatsServer } from '../../scripts/prepare.mjs';
import { copyCalls } from './copies.mjs';
import { PacedFeed } from './paced-feed.mjs';
import { Rebuild } from './rebuild.mjs';
import { measureWayBack } from './way-back.mjs';

/** Calls that the earlier version stores itself; the others are copies of these. */
const SAMPLE = 10_000;
/** New calls in a second during the upgrade. */
const PACE = 20;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const { values: options } = parseArgs({
  options: {
    from: { type: 'string', default: 'c8ee6b49' },
    built: { type: 'string' },
    calls: { type: 'string', default: '1000000' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const calls = Number(options.calls);
if (options.only !== undefined && options.only !== 'way-back') throw new Error(`there is no part ${options.only}`);
if (options.only === 'way-back') {
  ensureNatsServer();
  const report = wayBackReport(await measureWayBack(calls, log));
  console.log(report);
  if (options.write) writeReport('bench:way-back', report);
  process.exit(0);
}
const postgres = findPostgres();
if (postgres === undefined) throw new Error('install PostgreSQL first (Debian: apt-get install postgresql)');
ensureNatsServer();
// The earlier commit looks for the server on the PATH only.
process.env.PATH += `${delimiter}${join(ROOT, '.cache/nats-server')}`;
const temporary = mkdtempSync(join(tmpdir(), 'ringdown-upgrade-'));
try {
  const earlier = options.built ?? checkOut(options.from, join(temporary, 'earlier'));
  const report = reportOf(await measure(earlier));
  console.log(report);
  if (options.write) writeReport('bench:upgrade', report);
} finally {
  if (options.built === undefined)
    execFileSync('git', ['worktree', 'remove', '--force', join(temporary, 'earlier')], { cwd: ROOT });
  rmSync(temporary, { recursive: true, force: true });
}
process.exit(0);

/** A built copy of another commit. */
function checkOut(commit, folder) {
  log(`building ${commit} …`);
  const how = { stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('git', ['worktree', 'add', '--detach', folder, commit], { ...how, cwd: ROOT });
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { ...how, cwd: folder });
  execFileSync('npm', ['run', 'build'], { ...how, cwd: folder });
  return folder;
}

async function measure(earlier) {
  const of = (path) => import(pathToFileURL(join(earlier, 'bench', path)).href);
  const [{ Servers: EarlierServers }, { makeBacklog, drain }, { feed }] = await Promise.all(
    ['servers.mjs', 'feed/drain.mjs', 'feed/traffic.mjs'].map(of),
  );
  const server = await startPostgresServer(postgres);
  const [before, after] = [new EarlierServers(), new Servers()];
  try {
    const nats = await before.startBus();
    log(`storing ${SAMPLE} calls with the earlier version …`);
    const records = await makeBacklog(nats.url, feed({ calls: SAMPLE, begin: Date.now() - 3_600_000 }));
    const env = { NATS_URL: nats.url, DATABASE_URL: server.url };
    let aggregator;
    const start = async () => [(aggregator = await before.service('aggregator', env))];
    await drain({ records, server, start });
    process.kill(aggregator.pid, 'SIGTERM');
    const copied = await copyCalls(server, calls, log);
    log('upgrading …');
    return { ...copied, load: loadavg()[0], ...(await upgrade(server, nats, () => after.service('aggregator', env))) };
  } finally {
    await after.stop();
    await before.stop();
    await server.stop();
  }
}

/** From the start of this version until no row of the earlier one is left. */
async function upgrade(server, nats, start) {
  const rebuild = new Rebuild(server, log);
  const began = performance.now();
  const { pid } = await start();
  await rebuild.migrated();
  const migratedSeconds = (performance.now() - began) / 1_000;
  const feed = new PacedFeed({ natsUrl: nats.url, server, perSecond: PACE });
  await feed.start();
  const room = await rebuild.done(pid);
  return { migratedSeconds, seconds: (performance.now() - began) / 1_000, ...room, queryable: await feed.stop() };
}

function wayBackReport({ calls: stored, bytes, files, copySeconds, readySeconds, startSeconds, downgradeSeconds }) {
  const rows = [
    ['calls', whole(stored)],
    ['data folder, GB', gigabytes(bytes)],
    ['copied files', whole(Number(files))],
    ['copied in, s', copySeconds],
    ['from the start until it is ready, with the copy, s', readySeconds.toFixed(1)],
    ['the same without an upgrade, s', startSeconds.toFixed(1)],
    ['`npm run downgrade`, s', downgradeSeconds.toFixed(1)],
    ['calls lost', '0'],
  ];
  return `A load of ${loadavg()[0].toFixed(1)} at the end. ${measuredOn()}\n\n${table([['way back', ''], ...rows])}`;
}

function reportOf({ calls: stored, bytes, load, migratedSeconds, seconds, most, after, megabytes, queryable }) {
  const rows = [
    ['calls', whole(stored)],
    ['until the tables are changed, s (nothing is stored meanwhile)', migratedSeconds.toFixed(1)],
    ['until all calls are rebuilt, s', seconds.toFixed(0)],
    ['calls rebuilt in a second', whole(Math.round(stored / seconds))],
    ['database before, GB', gigabytes(bytes)],
    ['at most meanwhile, GB', gigabytes(most)],
    ['after, GB', gigabytes(after)],
    ['memory of the aggregator, MB', megabytes.toFixed(0)],
    [`until a new call is found, p50, ms (${PACE} a second)`, queryable.p50.toFixed(0)],
    ['the same, p99, ms', queryable.p99.toFixed(0)],
    ['new calls that were not found', whole(queryable.missing)],
  ];
  return `From ${options.from}, one aggregator, a load of ${load.toFixed(1)} at the start. ${measuredOn()}\n\n${table([['upgrade', ''], ...rows])}`;
}

function whole(number) {
  return number.toLocaleString('en');
}

function gigabytes(bytes) {
  return (bytes / 1e9).toFixed(2);
}

function log(line) {
  process.stderr.write(`${line}\n`);
}
