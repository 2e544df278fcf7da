import { runBackupCommand, type OpenedServers } from '@ringdown/aggregator/backup-command';
import { embeddedDatabaseUrl, refuseOldDatabase } from '@ringdown/embedded/database';
import { createLogger } from '@ringdown/observability';
import { readSettings } from '@ringdown/settings';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { backupBus } from './backup-bus.js';
import { DataFolder } from './data-folder.js';
import { processWords, RunningFile } from './running-system.js';
import { startServers } from './servers.js';
import { ringdownSettings } from './settings.js';

/** The same command for the one-process system, whose bus and database are its own: while it does not run, they are started for it. */
async function open(): Promise<OpenedServers> {
  const settings = readSettings(ringdownSettings, process.env);
  const { natsUrl, databaseUrl } = settings;
  const dataDir = resolve(settings.dataDir);
  const own = [...(natsUrl === undefined ? ['nats'] : []), ...(databaseUrl === undefined ? ['database'] : [])];
  const missing = own.filter((name) => !existsSync(join(dataDir, name)));
  if (missing.length > 0)
    throw new Error(`${dataDir} (DATA_DIR) has no data to copy: ${missing.join(' and ')} missing`);
  // Also while the version runs that made it.
  if (databaseUrl === undefined) refuseOldDatabase(join(dataDir, 'database'));
  const servers = (): OpenedServers['env'] => ({
    ...process.env,
    DATA_DIR: dataDir,
    ...backupBus(natsUrl, join(dataDir, 'nats')),
    DATABASE_URL: databaseUrl ?? embeddedDatabaseUrl(join(dataDir, 'database')),
  });
  const running = new RunningFile(dataDir).read();
  if (running?.isElsewhere && own.length > 0) {
    throw new Error(`${dataDir} (DATA_DIR) is in use by ${processWords(running)}: run this command there`);
  }
  if (own.length === 0 || running !== undefined) {
    return { env: servers(), close: () => Promise.resolve() };
  }
  // Nothing else may start on the folder meanwhile.
  const data = await DataFolder.open(dataDir);
  const started = await startServers(settings, data, createLogger('backup', { logLevel: 'warn', logFormat: 'json' }));
  const close = async (): Promise<void> => {
    await started.stop();
    data.release();
  };
  return { env: servers(), close };
}

process.exitCode = await runBackupCommand(
  process.argv.slice(2),
  {
    env: process.env,
    out: (words) => void process.stdout.write(words),
    err: (words) => void process.stderr.write(words),
  },
  open,
);
