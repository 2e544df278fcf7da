import { startPostgresServer } from '@ringdown/embedded/database';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from './kept-template.js';
import { place } from '../place.js';
import { seedDatabase, TEST_SETTINGS } from './postgres-template.js';
import { quietLogger } from '../quiet-logger.js';
import { SHARED_SETTINGS, type SharedPostgres } from './shared-postgres.js';

// Program of the run of tests: starts the shared server, writes its addresses as one line, and ends when its standard input
// does, which it also does when the run is killed.
interface Server extends SharedPostgres {
  stop(): Promise<void>;
}

const settings = { ...TEST_SETTINGS, ...SHARED_SETTINGS };

async function startProcess(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-postgres-'));
  await seedDatabase(folder);
  const server = await startPostgresServer({ folder, logger: quietLogger(), sync: false, settings });
  const stop = async (): Promise<void> => {
    await server.stop('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: server.url, superuserUrl: server.superuserUrl, stop };
}

async function startContainer(): Promise<Server> {
  const { postgresContainer } = await import('../containers/postgres-container.js');
  const server = await postgresContainer({ settings });
  // What each file gets a copy of.
  await migrate(server.url);
  return server;
}

// Ctrl-C reaches this process, too; tests that run still need the server.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
const ended = new Promise((resolve) => process.stdin.once('close', resolve).resume());

const server = await (place() === 'containers' ? startContainer() : startProcess());
const { url, superuserUrl } = server;
process.stdout.write(`${JSON.stringify({ url, superuserUrl } satisfies SharedPostgres)}\n`);
await ended;
await server.stop();
