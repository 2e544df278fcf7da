// Collector, bus, aggregator and database at once, at steady paces in turns: what a record costs, and when it can be queried.
import { busyDuring } from '../busy.mjs';
import { inRounds } from '../rounds.mjs';
import { log, posting, rest, startPipeline, withDatabase } from '../system.mjs';

/** Records per second: the target for two cores, half of it, and few. */
const PACES = [4_000, 2_000, 200];
/** A turn is as many times longer than those of the collectors, as its first second does not count. */
const LONGER = 2;
/** At least: what the database does once a minute is the cost of too few records otherwise. */
const RECORDS_OF_A_TURN = 8_000;
/** Calls that are watched, per second; a quarter of the records are the start of a call. */
const WATCHED = 50;

/** Returns `{ bare, paces }`: rounds of node:http, and pairs of a pace and its rounds. */
export function benchTogether({ seconds, open }) {
  return withDatabase(async (servers, nats, server) => {
    const bare = await servers.bare(new URL('../bare.mjs', import.meta.url));
    await posting({ base: bare.base, seconds: 2 });
    log('posting to collector and aggregator, which are not measured yet …');
    const pipeline = await startPipeline(servers, nats, server);
    const paces = PACES.map((pace) => {
      const length = Math.max(seconds * LONGER, RECORDS_OF_A_TURN / pace);
      return [pace, (round) => turn(pipeline, { pace, seconds: length, openCalls: open }, round)];
    });
    const rows = [['bare', () => posting({ base: bare.base, after: 0.5, seconds: 2 })], ...paces];
    // A row without costs, `bare`, has none that could differ.
    const rounds = await inRounds(rows, { rest, figureOf: ({ micros }) => micros?.all ?? 1 });
    await pipeline.watch.stop();
    return { bare: rounds.get('bare'), paces: PACES.map((pace) => [pace, rounds.get(pace)]) };
  });
}

/** `micros`: processor time of each process for a record, until all are stored; `share`: of the machine meanwhile. */
async function turn(pipeline, { pace, seconds, openCalls }, round) {
  const oneIn = Math.max(1, Math.round(pace / 4 / WATCHED));
  const work = () => pipeline.post({ perSecond: pace, after: 1, seconds, openCalls, oneIn });
  const { result, seconds: used, share, others } = await busyDuring(pipeline.clocks, work);
  const queryable = await pipeline.watch.take();
  const micros = perRecord({ ...used, client: result.cpuSeconds }, result.acknowledged);
  log(`round ${round + 1}: ${pace} records/s, ${Math.round(micros.all)} µs a record, p99 ${queryable.p99} ms`);
  return { posted: result, queryable, micros, share, others };
}

/** `all`: of the processes that a deployment has, too. */
function perRecord(seconds, records) {
  const micros = Object.fromEntries(Object.entries(seconds).map(([name, used]) => [name, (used / records) * 1e6]));
  const { collector, bus, aggregator, PostgreSQL } = micros;
  return { ...micros, all: collector + bus + aggregator + PostgreSQL };
}
