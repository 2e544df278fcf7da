import { startPostgresServer, type PostgresProcess } from '@ringdown/embedded/database';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { place } from '../place.js';
import { seedDatabase, TEST_SETTINGS } from './postgres-template.js';
import { quietLogger } from '../quiet-logger.js';
import { createDatabase, sharedPostgres, type Schema, type SharedPostgres } from './shared-postgres.js';

/** A database without rows, with the PostgreSQL protocol, for one test file. */
export interface TestDatabase {
  readonly url: string;
  /** Ends its server like a crash; committed data is kept. Rejects where the server is shared. */
  kill(): Promise<void>;
  /** Restarts it at the same address with its data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** Whether it has a server of its own, for tests that kill it. */
  readonly own?: boolean;
  /** Where its own server stores its files; they are deleted with the database. */
  readonly folder?: string;
  /** Default: `current`, which a container of its own has only after the start of an aggregator. */
  readonly schema?: Schema;
}

/** On the server of the run, if there is one and this database need not have its own. */
export async function startPostgres(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { own = false, folder, schema = 'current' } = options;
  const shared = sharedPostgres();
  if (shared !== undefined && !own && folder === undefined) return databaseOn(shared, schema);
  if (place() === 'containers') {
    // Only here: loading testcontainers takes most test files longer than their tests.
    const { postgresContainer } = await import('../containers/postgres-container.js');
    return postgresContainer({ folder });
  }
  return ownServer(folder ?? mkdtempSync(join(tmpdir(), 'ringdown-db-')), schema);
}

async function databaseOn(server: SharedPostgres, schema: Schema): Promise<TestDatabase> {
  const { url, drop } = await createDatabase(server, schema);
  return { url, kill: refuseToEnd, restart: refuseToEnd, stop: drop };
}

function refuseToEnd(): Promise<never> {
  return Promise.reject(new Error('other test files use this server: startPostgres({ own: true })'));
}

async function ownServer(folder: string, schema: Schema): Promise<TestDatabase> {
  const start = (): Promise<PostgresProcess> =>
    startPostgresServer({ folder, logger: quietLogger(), sync: false, settings: TEST_SETTINGS });
  await seedDatabase(folder);
  let server = await start();
  return {
    url: schema === 'current' ? server.url : (await createDatabase(server, schema)).url,
    kill: () => server.stop('SIGKILL'),
    restart: async () => {
      server = await start();
    },
    stop: async () => {
      // Its files are deleted: it need not write them.
      await server.stop('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
