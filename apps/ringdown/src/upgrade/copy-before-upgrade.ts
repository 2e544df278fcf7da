import { errorReason } from '@ringdown/errors';
import { ownCommand, SettingsError } from '@ringdown/settings';
import { mkdir, rename, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { endLeftoverServers } from '../host/leftover-servers.js';
import { inBytes } from '../sizing/byte-words.js';
import { copyFolder, folderBytes, syncToDisk, type Copied } from './copy-folder.js';
import {
  copyDataOf,
  copyDescriptionOf,
  copyFolderOf,
  INCOMPLETE,
  NOT_DATA,
  removeIncompleteCopies,
} from './kept-copies.js';
import { dataVersionOf } from './refuse-data.js';
import type { OwnRelease, Release } from './release.js';

export interface UpgradeOfFolder {
  readonly own: OwnRelease;
  readonly upgradeCopy: 'on' | 'off';
  /** Where the calls are elsewhere. A bus elsewhere is read on from where the database is. */
  readonly databaseUrl?: string | undefined;
  readonly print: (line: string) => void;
  readonly stopping?: AbortSignal | undefined;
}

/** What the upgrade itself writes beside the copy: a fifth of the database was measured (docs/performance.md). */
const ROOM_FOR_UPGRADE = 1.2;
const PROGRESS_MS = 10_000;
const TOP = { leaveOut: NOT_DATA };

/**
 * Keeps the data as the version before has left them, if this one changes their form: the way back. Nothing may run in the folder. Throws
 * an Error in one line, exit code 2, where the disk has no room for it, and changes nothing then.
 */
export async function copyBeforeUpgrade(dataDir: string, upgrade: UpgradeOfFolder): Promise<void> {
  removeIncompleteCopies(dataDir);
  const before = changedRelease(dataDir, upgrade.own);
  if (before === undefined || upgrade.upgradeCopy === 'off') return;
  const { print, own } = upgrade;
  const line = `upgrading the data from ${before.version} to ${own.version}`;
  if (upgrade.databaseUrl !== undefined) {
    print(`${line}, without a copy, because of DATABASE_URL: the way back is a backup that ${before.version} has made`);
    return;
  }
  await endLeftoverServers(dataDir);
  const bytes = await folderBytes(dataDir, TOP);
  const { bavail, bsize } = await statfs(dataDir);
  const problem = roomProblem({ dataDir, own, bytes, free: bavail * bsize });
  if (problem !== undefined) throw new SettingsError([problem]);
  const name = `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z-from-${before.version}`;
  print(`${line}: a copy is kept in ${copyFolderOf(dataDir, name)}`);
  try {
    await keepCopy(dataDir, name, { ...upgrade, before, bytes });
  } catch (error) {
    removeIncompleteCopies(dataDir);
    upgrade.stopping?.throwIfAborted();
    throw new Error(`the data cannot be copied before the upgrade, and are as they were: ${errorReason(error)}`, {
      cause: error,
    });
  }
}

/** The version that the folder is of, if this one changes the form of its data. An upgrade that was interrupted has its copy. */
function changedRelease(dataDir: string, own: OwnRelease): Release | undefined {
  const { complete, upgradingTo } = dataVersionOf(dataDir);
  if (complete === undefined || upgradingTo !== undefined) return undefined;
  return own.schema > complete.schema || own.format > complete.format ? complete : undefined;
}

interface Room {
  readonly dataDir: string;
  readonly own: OwnRelease;
  /** Of the data. */
  readonly bytes: number;
  readonly free: number;
}

/** Why there is too little; undefined if there is enough. */
export function roomProblem({ dataDir, own, bytes, free }: Room): string | undefined {
  const needed = bytes * ROOM_FOR_UPGRADE;
  if (free >= needed) return undefined;
  return (
    `the upgrade to ${own.version} keeps a copy of the data, ${inBytes(bytes)}, and ${inBytes(free)} are free on the disk of ${dataDir} ` +
    `(DATA_DIR): make room for ${inBytes(needed)}, or make a backup with the version before (${ownCommand('backup', 'FOLDER')}) and ` +
    'set UPGRADE_COPY=off'
  );
}

interface Copying extends UpgradeOfFolder {
  readonly before: Release;
  readonly bytes: number;
}

/** It has its name only when all of it is on the disk. */
async function keepCopy(dataDir: string, name: string, { before, bytes, print, stopping }: Copying): Promise<void> {
  const begun = performance.now();
  const unfinished = `${name}${INCOMPLETE}`;
  await mkdir(copyFolderOf(dataDir, unfinished), { recursive: true, mode: 0o700 });
  const copied: Copied = { bytes: 0, files: 0 };
  const progress = setInterval(
    () => print(`copied ${inBytes(copied.bytes)} of ${inBytes(bytes)} before the upgrade`),
    PROGRESS_MS,
  );
  try {
    await copyFolder(dataDir, copyDataOf(dataDir, unfinished), { top: TOP, stopping, copied });
  } finally {
    clearInterval(progress);
  }
  const { version, schema } = before;
  const description = { version, schema, at: new Date().toISOString(), bytes: copied.bytes, files: copied.files };
  await writeFile(copyDescriptionOf(dataDir, unfinished), `${JSON.stringify(description)}\n`, {
    mode: 0o600,
    flush: true,
  });
  await syncToDisk(copyFolderOf(dataDir, unfinished));
  await rename(copyFolderOf(dataDir, unfinished), copyFolderOf(dataDir, name));
  await syncToDisk(dirname(copyFolderOf(dataDir, name)));
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  print(
    `${inBytes(copied.bytes)} in ${copied.files} files copied in ${seconds} s; way back: ${ownCommand('downgrade')}`,
  );
}
