// Ranking and load over a long history, without filters (from counted hours) and with them (from the calls).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startPostgresServer } from '../../postgres-server.mjs';
import { cpuSeconds } from '../../servers.mjs';
import { drain, makeBacklog } from '../drain.mjs';
import { days, FILL_SETTINGS, fillHistory, request, spread } from '../history.mjs';
import { operatorOf } from '../operator.mjs';
import { alone, log, logger, postgres, startAggregator, startEmbedded } from '../system.mjs';
import { feed, RECORDS_A_CALL } from '../traffic.mjs';

/** Calls that were folded from records; those of the history are copies. */
const SAMPLED_CALLS = 3_000;
/** How often each is asked: without filters enough for a 99th percentile. */
const [ASKED, ASKED_WITH_FILTERS] = [100, 10];
const POLL_MS = 1_000;
const SITES = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`site${n}`, [`10.${n}.0.0/16`]]));

/** With the p99 that is wanted, ms. */
const WITHOUT_FILTERS = {
  suspects: `suspects?${days(91, 91)}`,
  load: `statistics/load?bucketSeconds=86400&${days(91, 91)}`,
  ...Object.fromEntries(
    ['trunk', 'frontEnd', 'pool', 'site'].map((by) => [
      `load by ${by}`,
      `statistics/load?by=${by}&bucketSeconds=86400&${days(91, 91)}`,
    ]),
  ),
};
const FILTERS = {
  'bad calls': 'verdict=bad',
  'one trunk': 'trunk=trunk7',
  'one site': 'site=site3',
  'one user': 'user=sip:user37@example.test',
  'without a codec': 'not.codec=opus',
};
const LOADS = { load: '', 'load by trunk': 'by=trunk&', 'load by site': 'by=site&' };
const WITH_FILTERS = Object.fromEntries(
  Object.entries(FILTERS).flatMap(([name, filter]) => [
    [`suspects, ${name}`, `suspects?${days(91, 91)}&${filter}`],
    ...Object.entries(LOADS).map(([load, by]) => [
      `${load}, ${name}`,
      `statistics/load?${by}bucketSeconds=86400&${days(91, 91)}&${filter}`,
    ]),
  ]),
);

export async function benchStatistics({ calls, database }) {
  const server = database === 'embedded' ? await startEmbedded() : await startPostgresServer(postgres, FILL_SETTINGS);
  try {
    await alone((servers, nats) => makeSample(servers, nats, server));
    const filled = await fillHistory(server, calls, log);
    return await alone(async (servers, nats, folder) => {
      return { ...filled, ...(await measure({ servers, nats, folder, server })) };
    });
  } finally {
    await server.stop();
  }
}

async function makeSample(servers, nats, server) {
  const records = await makeBacklog(nats.url, feed({ calls: SAMPLED_CALLS, begin: Date.now() - 3_600_000 }));
  log(`storing ${SAMPLED_CALLS * RECORDS_A_CALL} records …`);
  await drain({ records, server, start: async () => [await startAggregator(servers, nats, server)] });
}

/** With an aggregator that is started now: it looks for hours to count once an hour. */
async function measure({ servers, nats, folder, server }) {
  const sites = join(folder, 'sites.json');
  writeFileSync(sites, JSON.stringify(SITES));
  const more = { SITES_FILE: sites, API_REQUESTS_PER_MINUTE: '1000000' };
  const aggregator = await startAggregator(servers, nats, server, more);
  const clocks = { aggregator: () => cpuSeconds(aggregator.pid), database: () => server.cpuSeconds() };
  log('waiting until all hours are counted …');
  const counted = await untilCounted(server, clocks);
  const operator = await operatorOf(nats.url, logger);
  try {
    const rows = [];
    for (const [questions, wanted, times] of [
      [WITHOUT_FILTERS, 500, ASKED],
      [WITH_FILTERS, 5_000, ASKED_WITH_FILTERS],
    ])
      for (const [question, path] of Object.entries(questions)) {
        const row = await ask({ base: aggregator.base, token: operator.token, path, times, clocks });
        log(`${question}: ${row.code ?? ''} ${row.p50.toFixed(0)} ms (p50), ${row.p99.toFixed(0)} ms (p99)`);
        rows.push({ question, wanted, ...row });
      }
    return { counted, rows };
  } finally {
    await operator.stop();
  }
}

/** Hours are counted once a minute, and all that wait at once. */
async function untilCounted(server, clocks) {
  const database = new Client({ connectionString: server.url });
  await database.connect();
  const [began, before] = [performance.now(), used(clocks)];
  try {
    for (;;) {
      const { rows } = await database.query(
        'select count(*)::integer as hours, count(*) filter (where counted_at is null)::integer as waiting from counted_hours',
      );
      const [{ hours, waiting }] = rows;
      if (hours > 0 && waiting === 0)
        return { hours, seconds: (performance.now() - began) / 1_000, ...since(before, clocks) };
      await sleep(POLL_MS);
    }
  } finally {
    await database.end();
  }
}

async function ask({ base, token, path, times: asked, clocks }) {
  await request(base, token, path);
  const before = used(clocks);
  const times = [];
  let code;
  while (code === undefined && times.length < asked) {
    const { status, ms, body } = await request(base, token, path);
    times.push(ms);
    if (status !== 200) code = body.code;
  }
  const { aggregator, database } = since(before, clocks);
  const each = (seconds) => (seconds / times.length) * 1_000;
  return {
    code,
    asked: times.length,
    ...spread(times),
    cpu: { aggregator: each(aggregator), database: each(database) },
  };
}

function used(clocks) {
  return Object.fromEntries(Object.entries(clocks).map(([name, clock]) => [name, clock()]));
}

function since(before, clocks) {
  const now = used(clocks);
  return { aggregator: now.aggregator - before.aggregator, database: now.database - before.database };
}
