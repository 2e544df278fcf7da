import { startDatabase, type EmbeddedDatabase } from '@ringdown/embedded';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedDatabase, type Schema } from './database-template.js';
import { place } from './place.js';
import { quietLogger } from './quiet-logger.js';

/** A database without rows, with the PostgreSQL protocol, for one test file. */
export interface TestDatabase {
  readonly url: string;
  /** Ends it like a crash; committed data is kept. */
  kill(): Promise<void>;
  /** Restarts it at the same address with its data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** Where it stores its files; they are deleted with the database. */
  readonly folder?: string;
  /** Default: `current`, which a container has only after the start of an aggregator. */
  readonly schema?: Schema;
}

export async function startPostgres({ folder, schema }: TestDatabaseOptions = {}): Promise<TestDatabase> {
  if (place() === 'containers') {
    // Only here: loading testcontainers takes most test files longer than their tests.
    const { postgresContainer } = await import('./containers/postgres-container.js');
    return postgresContainer(folder);
  }
  return pgliteProcess(folder ?? mkdtempSync(join(tmpdir(), 'ringdown-db-')), schema);
}

async function pgliteProcess(folder: string, schema?: Schema): Promise<TestDatabase> {
  const start = (): Promise<EmbeddedDatabase> => startDatabase({ folder, logger: quietLogger() });
  await seedDatabase(folder, schema);
  let database = await start();
  return {
    url: database.url,
    kill: () => database.stop('SIGKILL'),
    restart: async () => {
      database = await start();
    },
    stop: async () => {
      await database.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
