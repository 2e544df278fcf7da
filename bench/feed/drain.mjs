// How fast aggregators write a backlog of the bus to PostgreSQL.
import { setTimeout as sleep } from 'node:timers/promises';
import { RecordPublisher, StreamBundleOffer } from '@ringdown/feed-bus';
import { ensureFeedStreams, offerBundles, streamSettings } from '@ringdown/feed-bus/streams';
import { Bus } from '@ringdown/nats';
import { createLogger } from '@ringdown/observability';
import { readSettings } from '@ringdown/settings';
import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedMessage } from '@ringdown/xml-schemas';
import { Client } from 'pg';
import { cpuSeconds, peakMegabytes } from '../servers.mjs';

/** Records before the measured ones: Node's compilers need this many. */
export const WARM_UP = 20_000;
/** Records that are published at the same time: as many as a busy collector has in progress. */
const AT_ONCE = 64;
const MAX_SECONDS = 300;
const logger = createLogger('bench', { logLevel: 'warn', logFormat: 'json' });

/**
 * Publishes records to the bus, as a collector does beside aggregators, before any of them reads. Returns their number.
 * A further backlog of the same bus numbers them on: a number that is there already is dropped.
 */
export async function makeBacklog(natsUrl, records, first = 0) {
  const bus = await Bus.connect({ url: natsUrl, name: 'bench', logger });
  try {
    await ensureFeedStreams(bus, readSettings(streamSettings, { RECORDS_MAX_BYTES: String(8 * 1024 ** 3) }));
    await offerBundles(bus);
    const bundles = new StreamBundleOffer(bus);
    await bundles.check();
    const publisher = new RecordPublisher({ bus, bundles });
    let number = first;
    const publish = async () => {
      for (const { xml } of records) {
        const { record } = readFeedMessage(xml, defaultProfile);
        await publisher.publish({ id: `bench-${number++}`, receivedAt: Date.now(), record, xml });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, publish));
    return number - first;
  } finally {
    await bus.close();
  }
}

/**
 * `start` starts the aggregators. With many records, the first ones are not measured. Returns
 * `{ records, seconds, perSecond, cores, databaseCores, megabytes }`: cores of all aggregators, megabytes of the
 * largest one.
 */
export async function drain({ records, server, start }) {
  const database = new Client({ connectionString: server.url });
  await database.connect();
  try {
    const aggregators = await start();
    const used = () => [aggregators.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0), server.cpuSeconds()];
    const first = await untilStored(database, Math.min(WARM_UP, records / 2));
    const before = used();
    const began = performance.now();
    await untilStored(database, records);
    const seconds = (performance.now() - began) / 1_000;
    const [cores, databaseCores] = used().map((cpu, which) => (cpu - before[which]) / seconds);
    return {
      records,
      seconds,
      perSecond: (records - first) / seconds,
      cores,
      databaseCores,
      megabytes: Math.max(...aggregators.map(({ pid }) => peakMegabytes(pid))),
    };
  } finally {
    await database.end();
  }
}

async function untilStored(database, records) {
  const deadline = performance.now() + MAX_SECONDS * 1_000;
  for (;;) {
    // Counted by the aggregator in the same transaction as the calls: counting the rows would add to the measured cost.
    const stored = await database
      .query('select coalesce(sum(records), 0)::integer as stored from front_ends')
      .then(({ rows }) => rows[0].stored)
      // The aggregator creates the tables.
      .catch((error) => (error.code === '42P01' ? 0 : Promise.reject(error)));
    if (stored >= records) return stored;
    if (performance.now() > deadline) throw new Error(`only ${stored} of ${records} records within ${MAX_SECONDS} s`);
    await sleep(20);
  }
}
