import { errorReason } from '@ringdown/errors';
import { Bus, busSettings } from '@ringdown/nats';
import { createLogger } from '@ringdown/observability';
import { ownCommand, readSettings, setting, UsageError, type Environment } from '@ringdown/settings';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { databaseUrlSettings } from '../database-servers.js';
import { runCommand, type CommandIo } from '../run-command.js';
import { Database } from '../store/database/database.js';
import type { Contents, Manifest } from './manifest.js';
import { checkBackup, restoreBackup } from './restore-backup.js';
import { createBackup, type BackupSystem } from './create-backup.js';

/** Where backups are made that nobody has named a folder for; a package sets it. */
const BACKUPS = process.env['RINGDOWN_BACKUPS'] ?? 'backups';

export const BACKUP_USAGE = `Usage: ${ownCommand('backup', '[FOLDER]')}

Copies calls, records, people, sessions and files of a system to a new folder, also while it runs. Default: ${join(BACKUPS, 'TIME')}
`;

export const RESTORE_USAGE = `Usage: ${ownCommand('restore', 'FOLDER [--replace | --check]')}

  (nothing)   makes an empty, stopped system what it was at the time of the backup
  --replace   also a system that has data, which is deleted
  --check     only checks that the backup is complete
`;

const settings = {
  natsUrl: busSettings.natsUrl,
  natsUrlPeople: setting.optional(
    setting.servers('NATS_URL_PEOPLE', ['nats', 'tls'], {
      task: 'bus',
      about: 'As NATS_URL, with the key for the streams of people. Not set: NATS_URL, of a server with one account',
      secret: true,
    }),
  ),
  busReplicas: busSettings.busReplicas,
  databaseUrl: databaseUrlSettings.databaseUrl,
  dataDir: setting.optional(setting.text('DATA_DIR', { task: 'database', about: 'Folder for all data' })),
};

/** The servers of a system, for as long as a command needs them. */
export interface OpenedServers {
  /** With NATS_URL, NATS_URL_PEOPLE, DATABASE_URL and DATA_DIR. */
  readonly env: Environment;
  /** Called at the end. `isDone`: whether the command has succeeded. */
  close(isDone: boolean): Promise<void>;
}

/** Called when the command line is right. */
export type OpenServers = () => Promise<OpenedServers>;
/** Called when the command line and the backup are right; with whether existing data may be deleted. */
export type OpenForRestore = (replace: boolean, backup: Manifest) => Promise<OpenedServers>;

interface RestoreArguments {
  readonly folder: string;
  readonly replace: boolean;
  readonly check: boolean;
}

/** Returns the exit code: 0 done, 1 there is no backup, 2 wrong command line or settings. */
export function runBackupCommand(
  argv: readonly string[],
  io: CommandIo,
  open: OpenServers = asSet(io),
): Promise<number> {
  return runCommand({ name: 'backup', usage: BACKUP_USAGE }, argv, io, async () => {
    const folder = backupFolder(argv);
    const began = performance.now();
    const result = await withServers('backup', open, (system) => createBackup(system, folder));
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    io.out(`${describe(result)}\nBackup complete: ${folder}, ${megabytes(result.bytes)} in ${seconds} s\n`);
  });
}

/** Returns the exit code: 0 done, 1 not restored, 2 wrong command line or settings. */
export function runRestoreCommand(
  argv: readonly string[],
  io: CommandIo,
  open: OpenForRestore = asSet(io),
): Promise<number> {
  return runCommand({ name: 'restore', usage: RESTORE_USAGE }, argv, io, async () => {
    const { folder, replace, check } = restoreArguments(argv);
    const manifest = await checkBackup(folder);
    io.out(
      `Complete backup of ${manifest.createdAt}, Ringdown ${manifest.program}: ${folder}\n${describe(manifest)}\n`,
    );
    if (check) return;
    const began = performance.now();
    const restored = (system: BackupSystem): Promise<void> => restoreBackup(system, folder, manifest, replace);
    await withServers('restore', () => open(replace, manifest), restored);
    io.out(`Restored in ${((performance.now() - began) / 1_000).toFixed(1)} s. Start the system now.\n`);
  });
}

/** The servers that the settings name. */
function asSet({ env }: CommandIo): OpenServers {
  return () => Promise.resolve({ env, close: () => Promise.resolve() });
}

function restoreArguments(argv: readonly string[]): RestoreArguments {
  const { values, positionals } = parsed(argv, { replace: { type: 'boolean' }, check: { type: 'boolean' } });
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new UsageError('give the folder of one backup');
  const { replace = false, check = false } = values;
  if (replace && check) throw new UsageError('--check restores nothing: leave out --replace');
  return { folder: resolve(folder), replace, check };
}

function backupFolder(argv: readonly string[]): string {
  const { positionals } = parsed(argv, {});
  if (positionals.length > 1) throw new UsageError('give one folder');
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  return resolve(positionals[0] ?? join(BACKUPS, time));
}

interface Parsed {
  readonly values: Readonly<Partial<Record<string, boolean>>>;
  readonly positionals: readonly string[];
}

function parsed(argv: readonly string[], options: Readonly<Record<string, { readonly type: 'boolean' }>>): Parsed {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    return { values: Object.fromEntries(Object.keys(values).map((name) => [name, true])), positionals };
  } catch (error) {
    throw new UsageError(errorReason(error), { cause: error });
  }
}

async function withServers<T>(
  name: string,
  open: () => Promise<OpenedServers>,
  work: (system: BackupSystem) => Promise<T>,
): Promise<T> {
  const servers = await open();
  let isDone = false;
  try {
    const result = await withSystem(name, servers.env, work);
    isDone = true;
    return result;
  } finally {
    await servers.close(isDone);
  }
}

async function withSystem<T>(name: string, env: Environment, work: (system: BackupSystem) => Promise<T>): Promise<T> {
  const { natsUrl, natsUrlPeople, busReplicas, databaseUrl, dataDir } = readSettings(settings, env);
  const logger = createLogger(name, { logLevel: 'warn', logFormat: 'json' });
  const replicas = busReplicas === undefined ? undefined : Number(busReplicas);
  const open = (url: string): Promise<Bus> => Bus.connect({ url, name: `ringdown ${name}`, logger, replicas });
  const feed = await open(natsUrl);
  try {
    const people = natsUrlPeople === undefined ? feed : await open(natsUrlPeople);
    try {
      const database = new Database({ url: databaseUrl, poolSize: 1, logger });
      try {
        return await work({ buses: { feed, people }, database, dataDir });
      } finally {
        await database.close();
      }
    } finally {
      await people.close();
    }
  } finally {
    await feed.close();
  }
}

function describe({ database, streams, dataFiles }: Contents): string {
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
  const rowsOf = (name: string): number => database.tables.find((table) => table.name === name)?.rows ?? 0;
  const { leftOut = [] } = database;
  const messages = streams.reduce((sum, { state }) => sum + state.messages, 0);
  return (
    `  database: ${count(rows)} rows in ${database.tables.length} tables, of them ${count(rowsOf('calls'))} calls with their records\n` +
    `  message bus: ${count(messages)} messages in ${streams.length} streams\n  data folder: ${dataFiles.length} files` +
    (leftOut.length > 0 ? `\n  left out, of another program: ${leftOut.join(', ')}` : '')
  );
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
