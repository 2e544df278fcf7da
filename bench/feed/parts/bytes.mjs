// Bytes of a call with its records in the database, and of a record on the bus.
import { CALL_CHANGES_STREAM } from '@ringdown/contracts/calls';
import { RECORDS_STREAM } from '@ringdown/contracts/records';
import { Client } from 'pg';
import { streamBytes, streamFolderBytes, tableBytes } from '../bytes.mjs';
import { makeBacklog } from '../drain.mjs';
import { log, posting, rest, startAggregator, startCollector, withDatabase } from '../system.mjs';
import { feed, RECORDS_A_CALL } from '../traffic.mjs';
import { Watch } from '../watch.mjs';

/** Between two vacuums; autovacuum makes one when a fifth of a table has changed. */
const CALLS = 10_000;
const ROUNDS = 10;
const PER_SECOND = 2_000;
const TABLES = ['calls', 'records', 'call_places'];

/** Returns `{ calls, first, tables, all, bus }`: bytes of a call of the first round and of all, and of the bus. */
export function benchBytes({ seconds }) {
  return withDatabase(async (servers, nats, server) => {
    const collector = await startCollector(servers, nats);
    await startAggregator(servers, nats, server);
    const watch = new Watch(server);
    await watch.start();
    await rest();
    const tables = await grownTables(server, async (round) => {
      log(`storing ${CALLS} calls to weigh them, ${round} of ${ROUNDS} …`);
      const from = (round - 1) * CALLS;
      const records = feed({ calls: CALLS, from, begin: Date.now() - 3_600_000 });
      await makeBacklog(nats.url, records, from * RECORDS_A_CALL);
      await watch.untilStored(round * CALLS * RECORDS_A_CALL);
    });
    const bus = await grownBus(servers, nats, async () => {
      const posted = await posting({ base: collector.base, seconds: seconds * 2, perSecond: PER_SECOND });
      await watch.untilStored(ROUNDS * CALLS * RECORDS_A_CALL + posted.acknowledged);
      return posted.bytes;
    });
    await watch.stop();
    return { calls: ROUNDS * CALLS, firstCalls: CALLS, perSecond: PER_SECOND, ...tables, bus };
  });
}

/** Bytes for each call: `first` of the first round, `all`, and those of the largest tables, `{ rows, indexes, rest }`. */
async function grownTables(server, store) {
  const database = new Client({ connectionString: server.url });
  await database.connect();
  try {
    const sizes = [await tableBytes(database)];
    for (let round = 1; round <= ROUNDS; round++) {
      await store(round);
      sizes.push(await tableBytes(database));
    }
    const [before] = sizes;
    const grown = (round, name, part) =>
      (sizes[round].get(name)[part] - (before.get(name)?.[part] ?? 0)) / (round * CALLS);
    const all = (round) => [...sizes[round].keys()].reduce((sum, name) => sum + grown(round, name, 'total'), 0);
    const tables = TABLES.map((name) => {
      const [rows, indexes, total] = ['rows', 'indexes', 'total'].map((part) => grown(ROUNDS, name, part));
      return [name, { rows, indexes, rest: total - rows - indexes, total }];
    });
    return { first: all(1), all: all(ROUNDS), tables };
  } finally {
    await database.end();
  }
}

/**
 * For each byte of feed: those stored in the two streams, and what these take on the disk. The server compresses blocks that are full some time later, so the
 * share of the disk is that of all messages so far.
 */
async function grownBus(servers, nats, work) {
  const before = await streamBytes(nats.url);
  const bytes = await work();
  const after = await streamBytes(nats.url);
  const sizes = (name) => {
    const stored = (after.get(name) - (before.get(name) ?? 0)) / bytes;
    return { stored, onDisk: (stored * streamFolderBytes(servers.busFolder, name)) / after.get(name) };
  };
  return { feed: bytes, records: sizes(RECORDS_STREAM), changes: sizes(CALL_CHANGES_STREAM) };
}
