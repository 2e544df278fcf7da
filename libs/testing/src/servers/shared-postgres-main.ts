import { startPostgresServer } from '@ringdown/embedded/database';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedDatabase, TEST_SETTINGS } from './postgres-template.js';
import { quietLogger } from '../quiet-logger.js';
import { SHARED_SETTINGS, type SharedPostgres } from './shared-postgres.js';

// Program of the run of tests: starts the shared server, writes its addresses as one line, and ends when its standard input
// does, which it also does when the run is killed.
const folder = mkdtempSync(join(tmpdir(), 'ringdown-postgres-'));
// Ctrl-C reaches this process, too; tests that run still need the server.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
const ended = new Promise((resolve) => process.stdin.once('close', resolve).resume());

await seedDatabase(folder);
const settings = { ...TEST_SETTINGS, ...SHARED_SETTINGS };
const server = await startPostgresServer({ folder, logger: quietLogger(), sync: false, settings });
const { url, superuserUrl } = server;
const shared: SharedPostgres = { url, superuserUrl };
process.stdout.write(`${JSON.stringify(shared)}\n`);
await ended;
await server.stop('SIGQUIT');
rmSync(folder, { recursive: true, force: true });
