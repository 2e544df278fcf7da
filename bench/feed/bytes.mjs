// Sizes on the disk: of folders, streams of the bus, and tables.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Bus } from '@ringdown/nats';
import { createLogger } from '@ringdown/observability';

const logger = createLogger('bench', { logLevel: 'warn', logFormat: 'json' });

/** Blocks that a folder occupies, in bytes; files that end meanwhile count for nothing. */
export function folderBytes(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.blocks ?? 0;
  }
  return bytes * 512;
}

/** Blocks of the files of one stream of the bus. */
export function streamFolderBytes(folder, stream) {
  const found = readdirSync(folder, { withFileTypes: true, recursive: true }).find(
    (entry) => entry.isDirectory() && entry.name === stream,
  );
  return found === undefined ? 0 : folderBytes(join(found.parentPath, stream));
}

/** Bytes that were stored in each stream so far, by its name, also those that were deleted since: these as large as the others. */
export async function streamBytes(natsUrl) {
  const bus = await Bus.connect({ url: natsUrl, name: 'bench sizes', logger });
  try {
    const streams = new Map();
    for await (const { config, state } of bus.jsm.streams.list()) {
      streams.set(config.name, state.messages === 0 ? 0 : (state.bytes / state.messages) * state.last_seq);
    }
    return streams;
  } finally {
    await bus.close();
  }
}

const TABLES = `
  select regexp_replace(relname, '_[sw]?[0-9]+$', '') as name, sum(pg_relation_size(oid))::float8 as rows,
    sum(pg_indexes_size(oid))::float8 as indexes, sum(pg_total_relation_size(oid))::float8 as total
  from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace group by 1`;

/** After `vacuum`: bytes of each table with its partitions, by its name: `{ rows, indexes, total }`, the rest is TOAST. */
export async function tableBytes(database) {
  await database.query('vacuum');
  const { rows } = await database.query(TABLES);
  return new Map(rows.map(({ name, ...bytes }) => [name, bytes]));
}
