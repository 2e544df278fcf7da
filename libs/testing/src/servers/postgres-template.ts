import { findPostgresPackage, startPostgresServer } from '@ringdown/embedded/database';
import { chmodSync, constants, cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { digestOfMigrations, keptTemplate, migrate } from './kept-template.js';
import { quietLogger } from '../quiet-logger.js';

/** The folder of the files of a server, within its folder; only its owner may enter. */
const FILES = 'postgresql-18';

/** What a test writes need not outlast a failure of the machine, and the disk of a test may be small. */
export const TEST_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '32MB',
  min_wal_size: '32MB',
  max_wal_size: '48MB',
};

/**
 * Copies the files of a server to the folder where one will be started; its database has the tables of the aggregator and
 * no rows. initdb and all migrations need three seconds, and the result is always the same. Existing files are kept.
 */
export async function seedDatabase(folder: string): Promise<void> {
  if (existsSync(join(folder, FILES))) return;
  const { version } = findPostgresPackage();
  const template = await keptTemplate(`postgresql-${version}-${digestOfMigrations()}`, makeTemplate);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  cpSync(template, folder, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => !['lib', 'socket'].some((name) => path === join(template, name)),
  });
  // A copy has the default mode.
  for (const path of [folder, join(folder, FILES)]) chmodSync(path, 0o700);
}

async function makeTemplate(folder: string): Promise<void> {
  const server = await startPostgresServer({ folder, logger: quietLogger(), sync: false, settings: TEST_SETTINGS });
  try {
    await migrate(server.url);
  } finally {
    await server.stop();
  }
}
