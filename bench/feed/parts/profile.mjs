// Where the processor time of a record goes: profiles of collector and aggregator, statements of PostgreSQL, messages of the bus.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RECORDS_STREAM } from '@ringdown/contracts/records';
import { freePort } from '@ringdown/embedded';
import { Bus } from '@ringdown/nats';
import { Client } from 'pg';
import { startPostgresServer } from '../../postgres-server.mjs';
import { busyDuring } from '../busy.mjs';
import { profileTimes } from '../profile-times.mjs';
import { resetStatements, STATEMENT_SETTINGS, statementsPerRecord } from '../statements.mjs';
import { log, logger, postgres, rest, startPipeline, withDatabase } from '../system.mjs';

const PROFILER = fileURLToPath(new URL('../profiler.mjs', import.meta.url));
const PACES = [4_000, 2_000, 200];
const SERVICES = ['collector', 'aggregator'];
const WRITE_MS = 10_000;
const LONGER = 3;

/** Returns `[{ pace, micros, services, statements, ... }]`, one for each pace. */
export function benchProfile({ seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-bench-profile-'));
  const work = async (servers, nats, server) => {
    const innerPort = String(await freePort());
    const pipeline = await startPipeline(servers, nats, server, {
      collectorEnv: { ...profiled(folder, 'collector'), INNER_PORT: innerPort },
      aggregatorEnv: profiled(folder, 'aggregator'),
    });
    const database = new Client({ connectionString: server.url });
    const bus = await Bus.connect({ url: nats.url, name: 'bench profile', logger });
    await database.connect();
    try {
      const system = { pipeline, database, bus, folder, innerPort };
      const paces = [];
      for (const pace of PACES) {
        log(`profiling at ${pace} records/s …`);
        paces.push(await profilePace(system, pace, seconds * LONGER));
        await rest();
      }
      await pipeline.watch.stop();
      return paces;
    } finally {
      await bus.close();
      await database.end();
      rmSync(folder, { recursive: true, force: true });
    }
  };
  return withDatabase(work, () => startPostgresServer(postgres, STATEMENT_SETTINGS));
}

function profiled(folder, name) {
  return { NODE_OPTIONS: `--import ${PROFILER}`, BENCH_PROFILE: join(folder, name) };
}

async function profilePace({ pipeline, database, bus, folder, innerPort }, pace, seconds) {
  const toggle = () => SERVICES.forEach((name) => process.kill(pipeline[name].pid, 'SIGUSR2'));
  const [messages, publishing] = [await messageCount(bus), await publishSeconds(innerPort)];
  await resetStatements(database);
  toggle();
  const {
    result,
    seconds: used,
    share,
    elapsed,
  } = await busyDuring(pipeline.clocks, () => pipeline.post({ perSecond: pace, seconds, oneIn: 20 }));
  toggle();
  const records = result.acknowledged;
  const statements = await statementsPerRecord(database, records);
  const published = await publishSeconds(innerPort);
  const services = await Promise.all(SERVICES.map((name) => readProfile(join(folder, name), records)));
  return {
    pace,
    share,
    elapsed,
    answered: result.perSecond,
    queryable: await pipeline.watch.take(),
    micros: Object.fromEntries(Object.entries(used).map(([name, spent]) => [name, (spent / records) * 1e6])),
    recordsPerMessage: records / ((await messageCount(bus)) - messages),
    publishMs: ((published.sum - publishing.sum) / (published.count - publishing.count)) * 1_000,
    services: Object.fromEntries(SERVICES.map((name, index) => [name, services[index]])),
    statements,
  };
}

async function messageCount(bus) {
  const { state } = await bus.jsm.streams.info(RECORDS_STREAM);
  return state.last_seq;
}

/** Of a record, until it was stored on the bus. */
async function publishSeconds(innerPort) {
  const response = await fetch(`http://127.0.0.1:${innerPort}/metrics`);
  const text = await response.text();
  const valueOf = (name) =>
    Number(new RegExp(String.raw`^\w*collector_publish_seconds_${name} (\S+)`, 'm').exec(text)?.[1]);
  return { sum: valueOf('sum'), count: valueOf('count') };
}

/** Microseconds for a record, of the main thread, by function and by group. */
async function readProfile(file, records) {
  const { profile, utilization, collecting, cpuSeconds } = JSON.parse(await untilWritten(file));
  rmSync(file);
  const { functions, groups } = profileTimes(profile);
  const seconds = (profile.endTime - profile.startTime) / 1e6;
  const perRecord = (pairs) => pairs.map(([name, part]) => [name, ((part * seconds) / records) * 1e6]);
  const micros = { collecting: (collecting / records) * 1e6, cpu: (cpuSeconds / records) * 1e6 };
  return { utilization, ...micros, groups: perRecord(groups), functions: perRecord(functions) };
}

async function untilWritten(file) {
  const deadline = Date.now() + WRITE_MS;
  for (;;) {
    try {
      const text = readFileSync(file, 'utf8');
      if (text.endsWith('}')) return text;
    } catch (error) {
      if (error.code !== 'ENOENT' || Date.now() > deadline) throw error;
    }
    await sleep(100);
  }
}
