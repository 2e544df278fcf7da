import type { Logger } from '@ringdown/observability';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ChildState } from './child.js';
import type { ChildMark } from './leftover.js';
import { memorySettings } from './postgres/memory-settings.js';
import { PostgresHome } from './postgres/postgres-home.js';
import { startPostgresServer } from './postgres/postgres-server.js';

export interface EmbeddedDatabase {
  readonly url: string;
  readonly pid: number | undefined;
  readonly state: ChildState;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface DatabaseOptions {
  readonly folder: string;
  readonly logger: Logger;
  /** Megabytes that it may use for pages and sorting, beside those of the system's own cache. */
  readonly memory?: number;
  /** How many connections the service for calls may open. */
  readonly poolSize?: number | undefined;
  /** Ends the start, also while the database repairs its files. */
  readonly stopping?: AbortSignal | undefined;
}

const SMALL_MEMORY = 64;
const SMALL_POOL = 4;

/**
 * Starts the database of a data folder: PostgreSQL of the npm package, in processes of its own. Throws as
 * {@link refuseOldDatabase}.
 */
export async function startDatabase({
  folder,
  logger,
  memory: megabytes = SMALL_MEMORY,
  poolSize = SMALL_POOL,
  stopping,
}: DatabaseOptions): Promise<EmbeddedDatabase> {
  const home = new PostgresHome(folder);
  refuseOldDatabase(home.folder);
  const settings = memorySettings({ megabytes, poolSize });
  const server = await startPostgresServer({ folder, logger, settings, watch: true, stopping });
  try {
    writeFileSync(urlFile(home.folder), `${server.url}\n`, { mode: 0o600 });
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    url: server.url,
    get pid() {
      return server.pid;
    },
    get state() {
      return server.state;
    },
    stop: async (signal) => {
      await server.stop(signal);
      rmSync(urlFile(home.folder), { force: true });
    },
  };
}

/** Throws an Error in one line if the folder has the files of an earlier version, which was PGlite. */
export function refuseOldDatabase(folder: string): void {
  const { data } = new PostgresHome(folder);
  const old = join(resolve(folder), 'pglite');
  if (existsSync(data) || !existsSync(old)) return;
  throw new Error(
    `${old} is a database of an earlier version (PGlite), which this version cannot open. Nothing was changed. Make a backup with that ` +
      'version, then restore it with this one and another DATA_DIR (docs/guides/upgrade-notes.md, "A real PostgreSQL inside")',
  );
}

/** For commands in other terminals: the address of the database of this folder. Undefined if none is running. */
export function embeddedDatabaseUrl(folder: string): string | undefined {
  const file = urlFile(resolve(folder));
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

function urlFile(home: string): string {
  return join(home, 'database.url');
}

export function databaseMark(folder: string): ChildMark {
  return new PostgresHome(folder).mark;
}
