import { startDatabase, type EmbeddedDatabase, freePort } from '@ringdown/embedded';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GenericContainer, Wait } from 'testcontainers';
import { killContainer, startAgain, TEST_LABELS } from './container-life.js';
import { place } from './place.js';
import { quietLogger } from './quiet-logger.js';

/** A database that speaks PostgreSQL, empty, for one test file. */
export interface TestDatabase {
  readonly url: string;
  /** Ends it as a crash would; what was committed stays. */
  kill(): Promise<void>;
  /** Brings it back at the same address with its data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** `folder`: where it keeps its files, for a process of this machine wherever the others run. */
export function startPostgres({ folder }: { readonly folder?: string } = {}): Promise<TestDatabase> {
  if (place() === 'containers' && folder === undefined) return postgresContainer();
  return pgliteProcess(folder ?? mkdtempSync(join(tmpdir(), 'ringdown-db-')));
}

async function pgliteProcess(folder: string): Promise<TestDatabase> {
  const start = (): Promise<EmbeddedDatabase> => startDatabase({ folder, logger: quietLogger() });
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

async function postgresContainer(): Promise<TestDatabase> {
  const image = process.env['RINGDOWN_POSTGRES_IMAGE'] ?? 'postgres:17-alpine';
  const port = await freePort();
  const container = await new GenericContainer(image)
    .withLabels(TEST_LABELS)
    .withEnvironment({ POSTGRES_USER: 'ringdown', POSTGRES_PASSWORD: 'test', POSTGRES_DB: 'ringdown' })
    .withExposedPorts({ container: 5432, host: port })
    // The image starts the server twice: once to set itself up, then for good.
    .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
    .start();
  return {
    url: `postgres://ringdown:test@${container.getHost()}:${port}/ringdown`,
    kill: () => killContainer(container),
    // Asked over TCP, because the entrypoint's own set-up listens on the socket only.
    restart: () =>
      startAgain(container, async () => {
        const { exitCode } = await container.exec(['pg_isready', '-h', '127.0.0.1', '-q']);
        return exitCode === 0;
      }),
    stop: async () => void (await container.stop({ remove: true, removeVolumes: true })),
  };
}
