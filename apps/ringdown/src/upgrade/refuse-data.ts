import { ownCommand, SettingsError } from '@ringdown/settings';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { restoredFolder } from '../restored-folder.js';
import { readDataVersion, type DataVersion } from './data-version.js';
import { isDowngradeUnfinished } from './downgrade.js';
import { keptCopies } from './kept-copies.js';
import { isOlderVersion, type OwnRelease, type Release } from './release.js';

/** All versions had this one until their data folders had a file with it. */
const BEFORE_FILE: DataVersion = { complete: { version: '0.1.0', schema: 0, format: 0 } };

/**
 * Throws an Error in one line, exit code 2, if the data of a folder are newer than this program, or older than it can take over. Only
 * reads.
 */
export function refuseForeignData(dataDir: string, own: OwnRelease): void {
  if (isDowngradeUnfinished(dataDir))
    throw new SettingsError([
      `a downgrade of the data folder ${dataDir} (DATA_DIR) was interrupted: end it first (${ownCommand('downgrade')})`,
    ]);
  // What a restore has completed becomes the data of the folder next.
  for (const folder of [dataDir, restoredFolder(dataDir)]) {
    const refusal = whyRefused(dataVersionOf(folder), own, keptCopies(dataDir)[0]?.version);
    if (refusal !== undefined) throw new SettingsError([`the data folder ${dataDir} (DATA_DIR) ${refusal}`]);
  }
}

/** What a folder says, also where it is of a version that wrote no such file. */
export function dataVersionOf(folder: string): DataVersion {
  return readDataVersion(folder) ?? (hasData(folder) ? BEFORE_FILE : {});
}

/**
 * The end of a sentence about the data; undefined if this program may use them. `kept`: the version of the copy that the last upgrade has
 * made.
 */
export function whyRefused(
  { complete, upgradingTo, heldFor }: DataVersion,
  own: OwnRelease,
  kept?: string,
): string | undefined {
  const [what, newer] =
    upgradingTo !== undefined && isNewer(upgradingTo, own)
      ? ['is being upgraded to', upgradingTo]
      : complete !== undefined && isNewer(complete, own)
        ? ['is of', complete]
        : [];
  if (newer !== undefined)
    return (
      `${what} Ringdown ${describe(newer, own)}, and this is ${describe(own, newer)}: ` +
      `install ${newer.version} or later, or ${kept === undefined ? `restore a backup of ${own.version} into another folder` : `go back to the copy of ${kept} (${ownCommand('downgrade')})`}`
    );
  if (heldFor !== undefined && complete !== undefined && isNewer(own, complete))
    return (
      `was put back for Ringdown ${heldFor}, and ${own.version} would upgrade it: install ${heldFor}, or allow the upgrade again ` +
      `(${ownCommand('downgrade', '--allow-upgrade')})`
    );
  const oldest = own.upgradesFrom;
  if (complete === undefined || !isOlderVersion(complete.version, oldest)) return undefined;
  return (
    `is of Ringdown ${complete.version}, and ${own.version} upgrades from ${oldest} or later: ` +
    `install ${oldest}, start it once, and then this version`
  );
}

function isNewer(found: Release, own: Release): boolean {
  return found.schema > own.schema || found.format > own.format;
}

/** The format only where it makes the difference: it is raised rarely. */
function describe({ version, schema, format }: Release, other: Release): string {
  return `${version} (schema ${schema}${format === other.format ? '' : `, data format ${format}`})`;
}

function hasData(folder: string): boolean {
  return ['nats', 'database'].some((name) => existsSync(join(folder, name)));
}
