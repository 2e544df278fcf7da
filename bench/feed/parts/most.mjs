/**
 * The highest steady pace at which records can be queried soon, held for minutes, with a ledger: each record that was acknowledged must be
 * in the database once.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { busyDuring } from '../busy.mjs';
import { compareLedger, storedCalls } from '../ledger.mjs';
import { nextPace } from '../pace-search.mjs';
import { log, rest, startPipeline, withDatabase } from '../system.mjs';

const WANTED_P99_MS = 1_000;
/** Less was answered: the collector did not keep the pace. */
const KEPT = 0.99;
const TRY_SECONDS = 20;
const TRIES = 6;
/** After a pace that was not kept for minutes. */
const HOLDS = 3;
const LESS = 0.8;
const WATCHED = 50;
/** Of the calls of the ledger: no other part posts them. */
const FIRST_CALL = 3_000_000_000;

/** Returns `{ pace, minutes, posted, queryable, micros, share, acknowledged, lost, doubled }`. */
export function benchMost({ minutes, pace: given }) {
  return withDatabase(async (servers, nats, server) => {
    log('looking for the most for minutes …');
    const pipeline = await startPipeline(servers, nats, server);
    let pace = given ?? (await highestPace(pipeline));
    for (let hold = 1; ; hold++) {
      const held = await holdPace(pipeline, server, pace, {
        seconds: minutes * 60,
        from: FIRST_CALL + hold * 10_000_000,
      });
      if (isKept(held, pace) || hold === HOLDS) {
        await pipeline.watch.stop();
        return { ...held, pace, minutes, isKept: isKept(held, pace) };
      }
      log(`${pace} records/s were not kept for ${minutes} minutes: p99 ${held.queryable.p99} ms`);
      pace = Math.round(pace * LESS);
    }
  });
}

async function highestPace(pipeline) {
  const tries = [];
  let pace = Math.round(pipeline.warmPerSecond);
  while (tries.length < TRIES && pace !== undefined) {
    const tried = await post(pipeline, pace, { seconds: TRY_SECONDS });
    tries.push({ pace, isKept: isKept(tried, pace) });
    log(`${pace} records/s: ${Math.round(tried.posted.perSecond)} answered, p99 ${tried.queryable.p99} ms`);
    await rest();
    pace = nextPace(tries);
  }
  const kept = tries.filter((tried) => tried.isKept).map((tried) => tried.pace);
  return kept.length === 0 ? Math.round(Math.min(...tries.map((tried) => tried.pace)) / 2) : Math.max(...kept);
}

async function holdPace(pipeline, server, pace, { seconds, from }) {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-bench-ledger-'));
  try {
    const file = join(folder, 'ledger');
    log(`holding ${pace} records/s for ${seconds} s …`);
    const held = await post(pipeline, pace, { seconds, from, ledger: file });
    return { ...held, ...(await readLedger(server, from, readFileSync(file))) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function readLedger(server, from, bytes) {
  const database = new Client({ connectionString: server.url });
  await database.connect();
  try {
    const stored = await storedCalls(database);
    return compareLedger({ from, bytes, storedOf: (key) => stored.get(key) });
  } finally {
    await database.end();
  }
}

async function post(pipeline, pace, how) {
  const oneIn = Math.max(1, Math.round(pace / 4 / WATCHED));
  const work = () => pipeline.post({ perSecond: pace, after: 1, oneIn, ...how });
  const { result, seconds, share } = await busyDuring(pipeline.clocks, work);
  const { collector, bus, aggregator, PostgreSQL } = seconds;
  const micros = ((collector + bus + aggregator + PostgreSQL) / result.acknowledged) * 1e6;
  return { posted: result, queryable: await pipeline.watch.take(), micros, share };
}

function isKept({ posted, queryable }, pace) {
  return posted.perSecond >= pace * KEPT && queryable.p99 < WANTED_P99_MS && queryable.missing === 0;
}
