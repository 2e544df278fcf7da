import { runMigrateCommand } from '@ringdown/aggregator/migrate-command';
import { refuseOldDatabase, startDatabase } from '@ringdown/embedded/database';
import { errorReason } from '@ringdown/errors';
import { createLogger } from '@ringdown/observability';
import { ownCommand, readSettings, SettingsError, type SettingValues } from '@ringdown/settings';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DataFolder } from './data-folder.js';
import { RunningFile } from './running-system.js';
import { ringdownSettings } from './settings.js';

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
  const settings = readSettings(embeddedSettings, process.env);
  const dataDir = resolve(settings.dataDir);
  // What is not ready may be another command.
  if (new RunningFile(dataDir).read()?.inner !== undefined) {
    throw new Error(`a system runs in ${dataDir} (DATA_DIR): stop it first (${ownCommand('stop')})`);
  }
  if (!existsSync(join(dataDir, 'database')))
    throw new Error(`${dataDir} (DATA_DIR) has no database yet, and DATABASE_URL is not set`);
  // Nothing else may start on the folder meanwhile.
  const data = await DataFolder.open(dataDir);
  try {
    return await migrateFolder(data, settings);
  } finally {
    data.release();
  }
}

async function migrateFolder(
  data: DataFolder,
  { databaseMemory: memory, upgradeCopy }: SettingValues<typeof embeddedSettings>,
): Promise<number> {
  const folder = data.in('database');
  refuseOldDatabase(folder);
  // The next start completes it.
  if (!process.argv.includes('--dry-run')) {
    await data.beginUpgrade({ upgradeCopy, print: (line) => io.err(`migrate: ${line}\n`) });
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
