import { nodeErrorCode } from '@ringdown/errors';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CLAIM_FILES } from '../running-system.js';

/** In the data folder. */
const UPGRADES = 'upgrades';
const DESCRIPTION = 'copy.json';
/** Behind the name of a copy while it is made. */
export const INCOMPLETE = '.incomplete';
/** Behind the name of a copy: what a downgrade to it has put away. */
export const UNDONE = '-undone';

/** What is not part of the data: it is neither copied before an upgrade nor put back by a downgrade. */
export const NOT_DATA: ReadonlySet<string> = new Set([
  UPGRADES,
  'log',
  ...CLAIM_FILES,
  'downgrade.json',
  'restoring',
  // In the root of each ext4 volume.
  'lost+found',
]);
const NOT_THERE: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR'];

/** The data as a version has left them, in `upgrades/NAME/data`. */
export interface KeptCopy {
  readonly name: string;
  /** Of the version whose data they are. */
  readonly version: string;
  /** When it was made, ISO 8601. */
  readonly at: string;
  readonly bytes: number;
}

/** The folder of a copy, or of what a downgrade has put away. */
export function copyFolderOf(dataDir: string, name: string): string {
  return join(dataDir, UPGRADES, name);
}

/** The files of a copy. */
export function copyDataOf(dataDir: string, name: string): string {
  return join(copyFolderOf(dataDir, name), 'data');
}

export function copyDescriptionOf(dataDir: string, name: string): string {
  return join(copyFolderOf(dataDir, name), DESCRIPTION);
}

/** Complete ones, the newest first: their names begin with the time. */
export function keptCopies(dataDir: string): readonly KeptCopy[] {
  const complete = namesIn(dataDir).filter((name) => !name.endsWith(INCOMPLETE) && !name.endsWith(UNDONE));
  return complete
    .toSorted()
    .toReversed()
    .flatMap((name) => readCopy(dataDir, name) ?? []);
}

/** The names of what downgrades have put away. */
export function undoneData(dataDir: string): readonly string[] {
  return namesIn(dataDir).filter((name) => name.endsWith(UNDONE));
}

/** What a killed process was about to copy. */
export function removeIncompleteCopies(dataDir: string): void {
  for (const name of namesIn(dataDir).filter((each) => each.endsWith(INCOMPLETE))) remove(dataDir, name);
}

/** Only the way back of the newest upgrade is kept. */
export function removeOlderCopies(dataDir: string): void {
  for (const { name } of keptCopies(dataDir).slice(1)) remove(dataDir, name);
}

/** All of it: from then on there is no way back. */
export function removeAllCopies(dataDir: string): void {
  rmSync(join(dataDir, UPGRADES), { recursive: true, force: true });
}

function remove(dataDir: string, name: string): void {
  rmSync(copyFolderOf(dataDir, name), { recursive: true, force: true });
}

function namesIn(dataDir: string): readonly string[] {
  try {
    return readdirSync(join(dataDir, UPGRADES));
  } catch (error) {
    if (NOT_THERE.includes(nodeErrorCode(error))) return [];
    throw error;
  }
}

/** Undefined if it is not a copy: each gets its name when all of it is on the disk. */
function readCopy(dataDir: string, name: string): KeptCopy | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(copyDescriptionOf(dataDir, name), 'utf8'));
    const { version, at, bytes }: Partial<Record<keyof KeptCopy, unknown>> = Object(found);
    if (typeof version !== 'string' || typeof at !== 'string' || typeof bytes !== 'number') return undefined;
    return { name, version, at, bytes };
  } catch (error) {
    if (error instanceof SyntaxError || NOT_THERE.includes(nodeErrorCode(error))) return undefined;
    throw error;
  }
}
