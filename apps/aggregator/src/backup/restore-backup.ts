import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { readMigrations } from '../store/database/migration-files.js';
import { changedFiles, restoreDataFiles } from './data-files.js';
import { tableFileInBackup } from './database-copy.js';
import { assertRestorable, databaseState, markUnfinished, restoreDatabase } from './database-restore.js';
import type { Manifest } from './manifest.js';
import { ownContent } from './own-tables.js';
import { assertNoServices, restoreStreams, streamsWrittenSince, usedStreams, type BackupBuses } from './streams.js';
import type { BackupSystem } from './create-backup.js';
import { verifyBackup } from './verify-backup.js';

/** Of tables, in an error. */
const MOST_NAMES = 5;

/** Reads a backup as a whole. Rejects when it is not complete, was changed, or needs a newer program. */
export async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await verifyBackup(folder);
  const known = (await readMigrations()).length;
  const { schemaVersion } = manifest.database;
  if (schemaVersion > known) {
    throw new Error(
      `the backup in ${folder} is of Ringdown ${manifest.program} with version ${schemaVersion} of the database, and this program knows ${known}: ` +
        'use the version of Ringdown that made it, or a later one',
    );
  }
  return manifest;
}

/**
 * Makes a stopped system what it was at the time of a backup that {@link checkBackup} has accepted. Rejects before anything is written when
 * the system runs, or when it has data and `replace` is false. The database is last, in one transaction: as long as that is not
 * committed, aggregators do not start with it.
 */
export async function restoreBackup(
  system: BackupSystem,
  folder: string,
  manifest: Manifest,
  replace: boolean,
): Promise<void> {
  const { buses, database, dataDir } = system;
  const copy = ownContent(manifest.database, await readMigrations());
  await assertNoServices(buses);
  await assertReplaceable(system, folder, manifest, replace);
  await assertRestorable(database, copy);
  await markUnfinished(database);
  if (dataDir !== undefined) await restoreDataFiles(dataDir, folder, manifest.dataFiles);
  await restoreStreams(buses, folder, manifest.streams);
  await restoreDatabase(database, copy, (table) => rowsIn(join(folder, tableFileInBackup(table))));
}

async function assertReplaceable(
  { buses, database, dataDir }: BackupSystem,
  folder: string,
  { dataFiles }: Manifest,
  replace: boolean,
): Promise<void> {
  const { content, foreign, since } = await databaseState(database);
  if (foreign.length > 0) {
    const names = foreign.slice(0, MOST_NAMES).join(', ');
    throw new Error(
      `the database has tables of another program (${names}): give Ringdown a database of its own (DATABASE_URL)`,
    );
  }
  if (replace) return;
  if (content === 'unfinished restore') return assertNothingAccepted(buses, since);
  const used: string[] = [];
  if (content === 'tables') used.push('the database has tables');
  const streams = await usedStreams(buses);
  if (streams.length > 0) used.push(`the message bus has messages in ${streams.join(', ')}`);
  const changed = dataDir === undefined ? [] : await changedFiles(dataDir, folder, dataFiles);
  if (changed.length > 0) used.push(`${dataDir} has other files: ${changed.join(', ')}`);
  if (used.length === 0) return;
  throw new Error(`nothing was restored, because this system has data: ${used.join('; ')}. --replace deletes it`);
}

/** Services may have been started after a restore that was interrupted: collectors accept records without the database. */
async function assertNothingAccepted(buses: BackupBuses, since = new Date(0)): Promise<void> {
  const written = await streamsWrittenSince(buses, since);
  if (written.length === 0) return;
  throw new Error(
    `nothing was restored, because messages were accepted after the interrupted restore of ${since.toISOString()}: ${written.join(', ')}. --replace deletes them`,
  );
}

/** Not with `node:readline`: since Node 24 it also ends a line at U+2028 and U+2029, which JSON may contain. */
async function* rowsIn(file: string): AsyncGenerator<string> {
  const text: AsyncIterable<string> = createReadStream(file).pipe(createGunzip()).setEncoding('utf8');
  let rest = '';
  for await (const piece of text) {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield String(JSON.parse(line));
  }
}
