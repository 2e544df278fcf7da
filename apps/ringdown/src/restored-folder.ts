import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endLeftoverServers } from './host/leftover-servers.js';
import { CLAIM_FILES } from './running-system.js';

/** A restore writes into this folder of the data folder; under the second name it is complete. */
const UNFINISHED = 'restoring';
const COMPLETE = 'restored';

/** Where the files of a complete restore wait for the next start, or for the rest of the command. */
export function restoredFolder(dataDir: string): string {
  return join(dataDir, COMPLETE);
}

/** An empty folder for a restore, without what an interrupted one has left. */
export async function beginRestore(dataDir: string): Promise<string> {
  const folder = join(dataDir, UNFINISHED);
  await discardUnfinished(folder);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** From here on, the restored files are those of the system, also if this process ends now. */
export async function completeRestore(dataDir: string): Promise<void> {
  renameSync(join(dataDir, UNFINISHED), restoredFolder(dataDir));
  await finishRestore(dataDir);
}

/**
 * Run by the owner of the data folder at each start: moves the files of a complete restore to their places, of which a crash may have left
 * some; removes those of an interrupted one.
 */
export async function finishRestore(dataDir: string): Promise<void> {
  await discardUnfinished(join(dataDir, UNFINISHED));
  const restored = restoredFolder(dataDir);
  if (!existsSync(restored)) return;
  for (const name of readdirSync(restored)) {
    rmSync(join(dataDir, name), { recursive: true, force: true });
    renameSync(join(restored, name), join(dataDir, name));
  }
  rmSync(restored, { recursive: true });
}

/** Whether an entry of the data folder is only what an interrupted restore or a crash has left. */
export function isLeftover(name: string): boolean {
  return name === UNFINISHED || CLAIM_FILES.includes(name);
}

/** Servers of a killed restore would go on writing into it, also while it is removed. */
async function discardUnfinished(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  await endLeftoverServers(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
