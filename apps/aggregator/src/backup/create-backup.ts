import { ownVersion } from '@ringdown/service/announce';
import type { Database } from '../store/database/database.js';
import { BackupWriter } from './backup-writer.js';
import { copyDataFiles, isInside } from './data-files.js';
import { copyDatabase } from './database-copy.js';
import type { Contents } from './manifest.js';
import { copyStreams, STREAMS_AFTER_DATABASE, STREAMS_BEFORE_DATABASE, type BackupBuses } from './streams.js';

/** The running system, or what is to become one. */
export interface BackupSystem {
  readonly buses: BackupBuses;
  readonly database: Database;
  /** Undefined if it has no data folder of its own. */
  readonly dataDir: string | undefined;
}

export interface BackupResult extends Contents {
  readonly bytes: number;
}

/**
 * Copies a system to a new folder while it works. Rejects with an Error in clear words, and leaves nothing behind, when a part
 * cannot be read or written.
 */
export async function createBackup({ buses, database, dataDir }: BackupSystem, folder: string): Promise<BackupResult> {
  if (dataDir !== undefined && isInside(folder, dataDir))
    throw new Error(`${folder} is inside of the data folder ${dataDir}: a backup would contain all others`);
  const writer = await BackupWriter.create(folder);
  try {
    const createdAt = new Date().toISOString();
    const before = await copyStreams(buses, STREAMS_BEFORE_DATABASE, writer);
    const copied = await copyDatabase(database, writer);
    const after = await copyStreams(buses, STREAMS_AFTER_DATABASE, writer);
    const dataFiles = dataDir === undefined ? [] : await copyDataFiles(dataDir, writer);
    const streams = [...before, ...after];
    const contents: Contents = { program: ownVersion(), createdAt, database: copied, streams, dataFiles };
    await writer.complete(contents);
    return { ...contents, bytes: writer.bytes };
  } catch (error) {
    await writer.discard();
    throw error;
  }
}
