import { nodeErrorCode, errorReason } from '@ringdown/errors';
import { ownCommand } from '@ringdown/settings';
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncToDisk } from './copy-folder.js';
import { writeHold } from './data-version.js';
import { copyDataOf, copyFolderOf, keptCopies, NOT_DATA, UNDONE, type KeptCopy } from './kept-copies.js';

/** In the data folder while a downgrade goes on: a later one goes on from there. */
const JOURNAL = 'downgrade.json';

/** First the data of the later version are put away, then those of the copy are put in their place. */
interface Journal {
  readonly copy: string;
  readonly version: string;
  readonly phase: 'away' | 'back';
}

/** What a downgrade has done, or would do. */
export interface Downgrade {
  /** Of the version that the data are of then. */
  readonly version: string;
  /** Where the data of the later version are kept. */
  readonly undone: string;
}

/** Whether a downgrade was interrupted. */
export function isDowngradeUnfinished(dataDir: string): boolean {
  return existsSync(join(dataDir, JOURNAL));
}

/** The copy that a downgrade puts back: the newest, or that of an interrupted one. Throws an Error in one line if there is none. */
export function copyToPutBack(dataDir: string): Pick<KeptCopy, 'name' | 'version'> & Partial<KeptCopy> {
  const journal = readJournal(dataDir);
  if (journal !== undefined) return { name: journal.copy, version: journal.version };
  const [newest] = keptCopies(dataDir);
  if (newest !== undefined) return newest;
  throw new Error(
    `there is no copy of an older version in ${join(dataDir, 'upgrades')}: "${ownCommand('restore', 'FOLDER')}" of that version takes a backup that it has made`,
  );
}

type Move = (from: string, to: string) => void;

/**
 * Puts the copy that was made before the newest upgrade in the place of the data, which are kept beside it. Only renames: whenever it is
 * interrupted, the next one ends it. Nothing may run in the folder.
 */
export async function downgrade(dataDir: string, move: Move = renameSync): Promise<Downgrade> {
  const { name: copy, version } = copyToPutBack(dataDir);
  const undone = copyFolderOf(dataDir, `${copy}${UNDONE}`);
  const back = copyDataOf(dataDir, copy);
  const begun = readJournal(dataDir);
  if (begun === undefined) {
    refuseOtherDisks(dataDir);
    await writeJournal(dataDir, { copy, version, phase: 'away' });
  }
  if (begun?.phase !== 'back') {
    await mkdir(undone, { recursive: true, mode: 0o700 });
    await moveEntries(dataDir, undone, move);
    await writeJournal(dataDir, { copy, version, phase: 'back' });
  }
  if (existsSync(back)) await moveEntries(back, dataDir, move);
  writeHold(dataDir, version);
  // The journal last: an empty copy must not be taken for one.
  await rm(copyFolderOf(dataDir, copy), { recursive: true, force: true });
  await rm(join(dataDir, JOURNAL));
  await syncToDisk(dataDir);
  return { version, undone };
}

async function moveEntries(from: string, to: string, move: Move): Promise<void> {
  for (const name of readdirSync(from)) if (!NOT_DATA.has(name)) move(join(from, name), join(to, name));
  await syncToDisk(to);
  await syncToDisk(from);
}

/** A folder that is a disk of its own cannot be moved. */
function refuseOtherDisks(dataDir: string): void {
  const { dev } = lstatSync(dataDir);
  const names = readdirSync(dataDir).filter((name) => !NOT_DATA.has(name));
  const other = names.find((name) => lstatSync(join(dataDir, name)).dev !== dev);
  if (other === undefined) return;
  throw new Error(
    `${join(dataDir, other)} is a disk of its own, which cannot be moved, and nothing was changed: copy what is in ` +
      `${copyDataOf(dataDir, copyToPutBack(dataDir).name)} to its places by hand`,
  );
}

function readJournal(dataDir: string): Journal | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(join(dataDir, JOURNAL), 'utf8'));
    const { copy, version, phase }: Partial<Record<keyof Journal, unknown>> = Object(found);
    if (typeof copy === 'string' && typeof version === 'string' && (phase === 'away' || phase === 'back'))
      return { copy, version, phase };
  } catch (error) {
    if (nodeErrorCode(error) === 'ENOENT') return undefined;
    throw new Error(`${join(dataDir, JOURNAL)} cannot be read: ${errorReason(error)}`, { cause: error });
  }
  throw new Error(`${join(dataDir, JOURNAL)} does not say which downgrade was interrupted`);
}

async function writeJournal(dataDir: string, journal: Journal): Promise<void> {
  const file = join(dataDir, JOURNAL);
  await writeFile(`${file}.new`, `${JSON.stringify(journal)}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  await syncToDisk(dataDir);
}
