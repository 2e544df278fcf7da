import { freePort } from '@ringdown/embedded';
import { dirname, join } from 'node:path';
import { GenericContainer, Wait } from 'testcontainers';
import type { TestDatabase } from '../servers/database.js';
import type { SharedPostgres } from '../servers/shared-postgres.js';
import { killContainer, startAgain, TEST_LABELS } from './container-life.js';

/**
 * The data folder of a server inside its container; with a small write-ahead log, because a test's folder may be small
 * too.
 */
const FILES = '/files/cluster';
const LITTLE_LOG = { min_wal_size: '32MB', max_wal_size: '48MB' };

/** Run in this order, before the server can be reached. */
const SETUP = '/docker-entrypoint-initdb.d';
/** Creates the role that services have in docker-compose.yml; the superuser can then connect only from inside of the container. */
const MAKE_OWNER = join(import.meta.dirname, '../../../../../deploy/database/make-owner.sql');
/** Creates and drops databases. */
const ADMINISTRATOR = "create role tests superuser login password 'test';";

export interface PostgresContainerOptions {
  /** Where it stores its files. */
  readonly folder?: string | undefined;
  /** Of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface ContainerDatabase extends TestDatabase, SharedPostgres {}

export async function postgresContainer(options: PostgresContainerOptions = {}): Promise<ContainerDatabase> {
  const { folder, settings = {} } = options;
  const image = process.env['RINGDOWN_POSTGRES_IMAGE'] ?? 'postgres:17-alpine';
  const port = await freePort();
  const definition = new GenericContainer(image);
  if (folder !== undefined) definition.withBindMounts([{ source: folder, target: dirname(FILES) }]);
  const all = Object.entries({ ...(folder === undefined ? {} : LITTLE_LOG), ...settings });
  if (all.length > 0) definition.withCommand(all.flatMap(([name, value]) => ['-c', `${name}=${value}`]));
  const container = await definition
    .withLabels(TEST_LABELS)
    .withEnvironment({
      POSTGRES_USER: 'postgres',
      POSTGRES_PASSWORD: 'test',
      ...(folder === undefined ? {} : { PGDATA: FILES }),
    })
    .withCopyFilesToContainer([{ source: MAKE_OWNER, target: `${SETUP}/make-owner.sql` }])
    .withCopyContentToContainer([{ content: ADMINISTRATOR, target: `${SETUP}/make-tests.sql` }])
    .withExposedPorts({ container: 5432, host: port })
    // The image starts the server twice: once for its setup, then permanently.
    .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
    .start();
  const address = `${container.getHost()}:${port}`;
  return {
    url: `postgres://ringdown:test@${address}/ringdown`,
    superuserUrl: `postgres://tests:test@${address}/postgres`,
    kill: () => killContainer(container),
    // Over TCP, because during the setup the server listens only on the socket.
    restart: () =>
      startAgain(container, async () => {
        const { exitCode } = await container.exec(['pg_isready', '-h', '127.0.0.1', '-q']);
        return exitCode === 0;
      }),
    stop: async () => void (await container.stop({ remove: true, removeVolumes: true })),
  };
}
