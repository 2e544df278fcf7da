// Few records for a long time with the embedded PostgreSQL: how much its folder grows beyond its calls.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { sharedMegabytes, treeOf } from '../../process-tree.mjs';
import { folderBytes, tableBytes } from '../bytes.mjs';
import { log, rest, startEmbedded, startPipeline, withDatabase } from '../system.mjs';

const PER_SECOND = 25;
const MEGABYTE = 1_000_000;

/** Returns `{ perSecond, minutes, posted, queryable, grown, memory }`, the latter in megabytes. */
export function benchEmbedded({ hour: minutes }) {
  return withDatabase(async (servers, nats, server) => {
    log(`posting ${PER_SECOND} records/s for ${minutes} minutes …`);
    const pipeline = await startPipeline(servers, nats, server);
    const pids = [pipeline.collector.pid, nats.pid, pipeline.aggregator.pid, server.pid];
    const before = await sizes(servers, server, pids);
    const posted = await pipeline.post({ perSecond: PER_SECOND, seconds: minutes * 60, oneIn: 1 });
    const queryable = await pipeline.watch.stop();
    await rest();
    const after = await sizes(servers, server, pids);
    const grown = Object.fromEntries(
      ['database', 'tables', 'log', 'bus'].map((name) => [name, after[name] - before[name]]),
    );
    return { perSecond: PER_SECOND, minutes, posted, queryable, grown, memory: [before.memory, after.memory] };
  }, startEmbedded);
}

async function sizes(servers, server, pids) {
  const database = new Client({ connectionString: server.url });
  await database.connect();
  try {
    const tables = await tableBytes(database);
    return {
      tables: [...tables.values()].reduce((sum, { total }) => sum + total, 0) / MEGABYTE,
      database: folderBytes(server.folder) / MEGABYTE,
      log: globSync(join(server.folder, '*', 'pg_wal')).reduce((sum, log) => sum + folderBytes(log), 0) / MEGABYTE,
      bus: folderBytes(servers.busFolder) / MEGABYTE,
      memory: sharedMegabytes(pids.flatMap(treeOf)),
    };
  } finally {
    await database.end();
  }
}
