import { nodeErrorCode, errorReason } from '@ringdown/errors';
import { accessSync, constants, lstatSync, readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';

const ROOT = 0;
/** In the root of each ext4 volume. */
const MADE_BY_MKFS = 'lost+found';

/**
 * Root gives up its rights, for all that this process does from now on, where a folder belongs to another user: its owner could put a
 * link to files of root in the way of any write, also after a check. Returns that user, or undefined if nothing has changed. Throws an
 * Error in one line where that user could not go on.
 */
export function takeRightsOfOwner(folder: string): number | undefined {
  if (process.getuid?.() !== ROOT) return undefined;
  const found = statsOf(folder, lstatSync);
  // A link of root leads where root wants; of another one, its owner may change where it leads.
  const owner = found?.uid === ROOT ? statsOf(folder, statSync) : found;
  if (owner === undefined || owner.uid === ROOT) return undefined;
  const { uid, gid } = owner;
  const names = owner.isDirectory() ? readdirSync(folder).filter((name) => name !== MADE_BY_MKFS) : [];
  const foreign = names.find((name) => (statsOf(join(folder, name), lstatSync)?.uid ?? uid) !== uid);
  if (foreign !== undefined)
    throw new Error(
      `${folder} belongs to user ${uid}, but ${foreign} in it does not: give everything in it to one of them (chown -R)`,
    );
  become({ uid, gid: gid === ROOT ? uid : gid }, folder);
  return uid;
}

function become({ uid, gid }: { readonly uid: number; readonly gid: number }, folder: string): void {
  try {
    process.setgroups?.([]);
    process.setgid?.(gid);
    process.setuid?.(uid);
  } catch (error) {
    throw new Error(
      `${folder} belongs to user ${uid}, and root may not run as that user here (CAP_SETUID, CAP_SETGID): start as that user, or give ` +
        `it to root (chown -R): ${errorReason(error)}`,
      { cause: error },
    );
  }
  const [, program = ''] = process.argv;
  try {
    accessSync(program, constants.R_OK);
  } catch (error) {
    throw new Error(
      `${folder} belongs to user ${uid}, who cannot read this program (${program}): give it to root (chown -R), or let all users read the program`,
      { cause: error },
    );
  }
}

function statsOf(path: string, look: (path: string) => Stats): Stats | undefined {
  try {
    return look(path);
  } catch (error) {
    if (nodeErrorCode(error) === 'ENOENT' || nodeErrorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
