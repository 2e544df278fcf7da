// Many SIP messages beside few records: whether all are stored, what they cost and weigh, and what becomes of the records.
import { setTimeout as sleep } from 'node:timers/promises';
import { TRACES_STREAM } from '@ringdown/contracts/traces';
import { Bus } from '@ringdown/nats';
import { Client } from 'pg';
import { busyDuring } from '../busy.mjs';
import { tableBytes } from '../bytes.mjs';
import { inRounds } from '../rounds.mjs';
import { log, logger, rest, startPipeline, withDatabase } from '../system.mjs';
import { besideMessages } from '../beside-messages.mjs';

const RECORDS_PER_SECOND = 200;
const MESSAGES_PER_SECOND = 10_000;
/** Batches under way at a time. */
const CONNECTIONS = 4;
const LONGER = 2;
const STORE_MS = 60_000;
const LOOK_MS = 100;
const TABLES = ['trace_messages', 'trace_chunks'];
const STORED = `select ((select count(*) from trace_messages) + (select coalesce(sum(messages), 0) from trace_chunks))::integer as messages`;

/** Returns `{ recordsPerSecond, perSecond, without, beside, stored, bytes }`: rounds, and how many messages are stored, with bytes of each. */
export function benchMessages({ seconds }) {
  return withDatabase(async (servers, nats, server) => {
    log(`posting ${RECORDS_PER_SECOND} records/s without and beside ${MESSAGES_PER_SECOND} SIP messages/s …`);
    const pipeline = await startPipeline(servers, nats, server);
    const database = new Client({ connectionString: server.url });
    const bus = await Bus.connect({ url: nats.url, name: 'bench messages', logger });
    await database.connect();
    try {
      const before = await storedMessages(database);
      const paced = () =>
        pipeline.post({ perSecond: RECORDS_PER_SECOND, after: 1, seconds: seconds * LONGER, oneIn: 1 });
      const options = { base: pipeline.base, perSecond: MESSAGES_PER_SECOND, connections: CONNECTIONS };
      const rounds = await inRounds(
        [
          ['without', () => turn(pipeline, bus, async () => ({ result: await paced() }))],
          ['beside', () => turn(pipeline, bus, () => besideMessages(options, paced))],
        ],
        { rest },
      );
      const after = await storedMessages(database);
      await pipeline.watch.stop();
      const stored = after.messages - before.messages;
      const paces = { recordsPerSecond: RECORDS_PER_SECOND, perSecond: MESSAGES_PER_SECOND };
      return { ...paces, ...Object.fromEntries(rounds), stored, bytes: (after.bytes - before.bytes) / stored };
    } finally {
      await bus.close();
      await database.end();
    }
  });
}

/** Until the messages are stored, too: what they cost belongs to this turn. `used`: seconds of processor time. */
async function turn(pipeline, bus, run) {
  const work = async () => {
    const done = await run();
    await untilRead(bus);
    return done;
  };
  const { result: done, seconds, share } = await busyDuring(pipeline.clocks, work);
  const { collector, bus: ofBus, aggregator, PostgreSQL } = seconds;
  const queryable = await pipeline.watch.take();
  return {
    posted: done.result,
    messages: done.messages,
    queryable,
    share,
    used: collector + ofBus + aggregator + PostgreSQL,
  };
}

/** A message of the bus is deleted when its messages of calls are stored. */
async function untilRead(bus) {
  const deadline = Date.now() + STORE_MS;
  while (Date.now() < deadline) {
    const { state } = await bus.jsm.streams.info(TRACES_STREAM);
    if (state.messages === 0) return;
    await sleep(LOOK_MS);
  }
}

async function storedMessages(database) {
  const tables = await tableBytes(database);
  const { rows } = await database.query(STORED);
  const bytes = TABLES.reduce((sum, name) => sum + (tables.get(name)?.total ?? 0), 0);
  return { messages: rows[0].messages, bytes };
}
