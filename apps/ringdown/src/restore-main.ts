import { runRestoreCommand, type OpenedServers, type OpenForRestore } from '@ringdown/aggregator/backup-command';
import { embeddedDatabaseUrl } from '@ringdown/embedded/database';
import { createLogger } from '@ringdown/observability';
import { ownCommand, readSettings, SettingsError } from '@ringdown/settings';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { backupBus } from './backup-bus.js';
import { DataFolder } from './data-folder.js';
import { beginRestore, completeRestore, finishRestore, isLeftover } from './restored-folder.js';
import { RunningFile } from './running-system.js';
import { startServers } from './servers.js';
import { ringdownSettings } from './settings.js';
import { writeUpgradeComplete } from './upgrade/data-version.js';
import { whyRefused } from './upgrade/refuse-data.js';
import { ownRelease } from './upgrade/release.js';

/**
 * The same command for the one-process system. Its own bus and database are created beside the old ones, and replace them when everything is
 * restored: whenever it is interrupted, the data folder is the old or the new one.
 */
const open: OpenForRestore = async (replace, { program, database }): Promise<OpenedServers> => {
  const settings = readSettings(ringdownSettings, process.env);
  const { natsUrl, databaseUrl } = settings;
  const dataDir = resolve(settings.dataDir);
  if (new RunningFile(dataDir).read() !== undefined) {
    throw new Error(`a system runs in ${dataDir} (DATA_DIR): stop it first (${ownCommand('stop')})`);
  }
  const own = ownRelease();
  const release = { version: program, schema: database.schemaVersion, format: own.format };
  const refusal = whyRefused({ complete: release }, own);
  if (refusal !== undefined) throw new SettingsError([`the backup ${refusal}`]);
  if (!replace) assertEmpty(dataDir);
  const data = await DataFolder.open(dataDir);
  const folder = await beginRestore(dataDir);
  const logger = createLogger('restore', { logLevel: 'warn', logFormat: 'json' });
  const started = await startServers(settings, { in: (...names) => join(folder, ...names) }, logger);
  const env = {
    ...process.env,
    DATA_DIR: folder,
    ...backupBus(natsUrl, join(folder, 'nats')),
    DATABASE_URL: databaseUrl ?? embeddedDatabaseUrl(join(folder, 'database')),
  };
  const close = async (isDone: boolean): Promise<void> => {
    await started.stop();
    if (isDone) writeUpgradeComplete(folder, release);
    await (isDone ? completeRestore : finishRestore)(dataDir);
    data.release();
  };
  return { env, close };
};

function assertEmpty(dataDir: string): void {
  const names = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => !isLeftover(name)) : [];
  if (names.length === 0) return;
  throw new Error(
    `nothing was restored, because ${dataDir} (DATA_DIR) is not empty: ${names.join(', ')}. --replace deletes its data`,
  );
}

process.exitCode = await runRestoreCommand(
  process.argv.slice(2),
  {
    env: process.env,
    out: (words) => void process.stdout.write(words),
    err: (words) => void process.stderr.write(words),
  },
  open,
);
