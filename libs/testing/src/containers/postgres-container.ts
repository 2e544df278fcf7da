import { freePort } from '@ringdown/embedded';
import { dirname, join } from 'node:path';
import { GenericContainer, Wait } from 'testcontainers';
import type { TestDatabase } from '../servers/database.js';
import { killContainer, startAgain, TEST_LABELS } from './container-life.js';

/**
 * The data folder of a server inside its container; with a small write-ahead log, because a test's folder may be small
 * too.
 */
const FILES = '/files/cluster';
const LITTLE_LOG = ['-c', 'min_wal_size=32MB', '-c', 'max_wal_size=48MB'];

/** Creates the role that services have in docker-compose.yml. */
const MAKE_OWNER = join(import.meta.dirname, '../../../../../deploy/database/make-owner.sql');

export async function postgresContainer(folder?: string): Promise<TestDatabase> {
  const image = process.env['RINGDOWN_POSTGRES_IMAGE'] ?? 'postgres:17-alpine';
  const port = await freePort();
  const definition = new GenericContainer(image);
  if (folder !== undefined)
    definition.withBindMounts([{ source: folder, target: dirname(FILES) }]).withCommand(LITTLE_LOG);
  const container = await definition
    .withLabels(TEST_LABELS)
    .withEnvironment({
      POSTGRES_USER: 'postgres',
      POSTGRES_PASSWORD: 'test',
      ...(folder === undefined ? {} : { PGDATA: FILES }),
    })
    .withCopyFilesToContainer([{ source: MAKE_OWNER, target: '/docker-entrypoint-initdb.d/make-owner.sql' }])
    .withExposedPorts({ container: 5432, host: port })
    // The image starts the server twice: once for its setup, then permanently.
    .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
    .start();
  return {
    url: `postgres://ringdown:test@${container.getHost()}:${port}/ringdown`,
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
