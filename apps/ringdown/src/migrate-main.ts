import { runMigrateCommand } from '@ringdown/aggregator/migrate-command';
import { refuseOldDatabase, startDatabase } from '@ringdown/embedded/database';
import { errorReason } from '@ringdown/errors';
import { createLogger } from '@ringdown/observability';
import { ownCommand, readSettings, SettingsError } from '@ringdown/settings';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { takeRightsOfOwner } from './owner-rights.js';
import { RunningFile } from './running-system.js';
import { ringdownSettings } from './settings.js';
import { copyBeforeUpgrade } from './upgrade/copy-before-upgrade.js';
import { writeUpgradeBegun } from './upgrade/data-version.js';
import { refuseForeignData } from './upgrade/refuse-data.js';
import { ownRelease } from './upgrade/release.js';

const embeddedSettings = {
  dataDir: ringdownSettings.dataDir,
  databaseMemory: ringdownSettings.databaseMemory,
  upgradeCopy: ringdownSettings.upgradeCopy,
};
const io = {
  out: (words: string) => void process.stdout.write(words),
  err: (words: string) => void process.stderr.write(words),
};

/** The same command for the one-process system, whose database runs only with it. */
async function runWithEmbedded(): Promise<number> {
  const { dataDir, databaseMemory: memory, upgradeCopy } = readSettings(embeddedSettings, process.env);
  const own = ownRelease();
  takeRightsOfOwner(resolve(dataDir));
  refuseForeignData(resolve(dataDir), own);
  if (new RunningFile(dataDir).read() !== undefined) {
    throw new Error(`a system runs in ${dataDir} (DATA_DIR): stop it first (${ownCommand('stop')})`);
  }
  const folder = join(dataDir, 'database');
  if (!existsSync(folder)) throw new Error(`${dataDir} (DATA_DIR) has no database yet, and DATABASE_URL is not set`);
  refuseOldDatabase(folder);
  // The next start completes it.
  if (!process.argv.includes('--dry-run')) {
    const print = (line: string): void => io.err(`migrate: ${line}\n`);
    await copyBeforeUpgrade(resolve(dataDir), { own, upgradeCopy, print });
    writeUpgradeBegun(dataDir, own);
  }
  const logger = createLogger('migrate', { logLevel: 'warn', logFormat: 'json' });
  const database = await startDatabase({ folder, logger, memory });
  try {
    return await runMigrateCommand(process.argv.slice(2), {
      ...io,
      env: { ...process.env, DATABASE_URL: database.url },
    });
  } finally {
    await database.stop();
  }
}

try {
  process.exitCode =
    (process.env['DATABASE_URL'] ?? '') === '' && !process.argv.includes('--help')
      ? await runWithEmbedded()
      : await runMigrateCommand(process.argv.slice(2), { ...io, env: process.env });
} catch (error) {
  io.err(`migrate: ${errorReason(error)}\n`);
  process.exitCode = error instanceof SettingsError ? 2 : 1;
}
