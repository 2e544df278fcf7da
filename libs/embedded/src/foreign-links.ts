import { nodeErrorCode } from '@ringdown/errors';
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = 0;
/** The files of PostgreSQL, which it alone opens, and the links to its libraries, which each start makes anew. */
const NOT_ENTERED: readonly string[] = ['postgresql-18', 'lib'];

/**
 * Throws an Error in one line for a symbolic link of another user in a folder that root works in, or on the way to it: root would
 * write, remove or change the mode of what the link leads to. Other users can do no more there than whoever made the link.
 */
export function refuseForeignLinks(folder: string, uid = process.getuid?.()): void {
  if (uid !== ROOT) return;
  for (let path = resolve(folder); path !== dirname(path); path = dirname(path)) refuseLink(path);
  refuseLinksIn(resolve(folder));
}

function refuseLinksIn(folder: string): void {
  if (!statsOf(folder)?.isDirectory()) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = refuseLink(path);
    // Only who owns a folder puts links into it.
    if (found?.isDirectory() && found.uid !== ROOT && !NOT_ENTERED.includes(name)) refuseLinksIn(path);
  }
}

function refuseLink(path: string): Stats | undefined {
  const found = statsOf(path);
  if (found === undefined || !found.isSymbolicLink() || found.uid === ROOT) return found;
  throw new Error(
    `${path} is a symbolic link of user ${found.uid}, which root does not follow: start as that user, or remove the link`,
  );
}

/** Undefined where there is nothing, also below a file. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (nodeErrorCode(error) === 'ENOENT' || nodeErrorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
