import { nodeErrorCode } from '@ringdown/errors';
import { constants, type Dirent, type Stats } from 'node:fs';
import { copyFile, lchown, lstat, mkdir, open, readdir, readlink, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/** What has been copied. */
export interface Copied {
  bytes: number;
  files: number;
}

/** What stands at the top of a folder. */
interface Top {
  /** Names that do not belong to it. */
  readonly leaveOut: ReadonlySet<string>;
}

interface CopyOptions {
  /** Links at the top that lead to folders are followed: somebody has put a part of the data onto another disk. */
  readonly top?: Top;
  readonly stopping?: AbortSignal | undefined;
  /** Counts while it goes on. */
  readonly copied?: Copied;
}

/** So many files at once: waiting for the disk is most of the work. */
const AT_ONCE = 8;

/**
 * Copies a folder that nobody changes, with links and modes, by root also with owners, without sockets. Where the file system can, files
 * share their blocks until one of them is changed. When it resolves, all of it is on the disk.
 */
export async function copyFolder(from: string, to: string, options: CopyOptions = {}): Promise<Copied> {
  const { top, stopping, copied = { bytes: 0, files: 0 } } = options;
  const stats = await stat(from);
  await mkdir(to, { mode: stats.mode });
  const { folders, others } = await entriesOf(from, top);
  for (let at = 0; at < others.length; at += AT_ONCE) {
    stopping?.throwIfAborted();
    await Promise.all(
      others.slice(at, at + AT_ONCE).map(async (entry) => {
        const [source, target] = [join(from, entry.name), join(to, entry.name)];
        if (entry.isSymbolicLink()) {
          await symlink(await readlink(source), target);
          await keepOwner(await lstat(source), target);
        }
        if (!entry.isFile()) return;
        const bytes = await copyToDisk(source, target);
        copied.bytes += bytes;
        copied.files++;
      }),
    );
  }
  for (const name of folders) await copyFolder(join(from, name), join(to, name), { stopping, copied });
  // Last: another user could put links in the way of what is copied into it.
  await keepOwner(stats, to);
  await syncToDisk(to);
  return copied;
}

/** Bytes of all files that {@link copyFolder} would copy. */
export async function folderBytes(folder: string, top?: Top): Promise<number> {
  const { folders, others } = await entriesOf(folder, top);
  let bytes = 0;
  for (const entry of others.filter((each) => each.isFile())) bytes += (await stat(join(folder, entry.name))).size;
  for (const name of folders) bytes += await folderBytes(join(folder, name));
  return bytes;
}

async function entriesOf(folder: string, top: Top | undefined): Promise<{ folders: string[]; others: Dirent[] }> {
  const [folders, others]: [string[], Dirent[]] = [[], []];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (top?.leaveOut.has(entry.name) === true) continue;
    const isFollowed = top !== undefined && entry.isSymbolicLink() && (await leadsToFolder(join(folder, entry.name)));
    if (entry.isDirectory() || isFollowed) folders.push(entry.name);
    else others.push(entry);
  }
  return { folders, others };
}

async function leadsToFolder(link: string): Promise<boolean> {
  try {
    return (await stat(link)).isDirectory();
  } catch (error) {
    if (nodeErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Of a file or a folder: afterwards it outlives a loss of power. */
export async function syncToDisk(path: string): Promise<void> {
  const opened = await open(path, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

/** PostgreSQL that root has started runs as another user, whose files stay its own. Only root may give files away. */
async function keepOwner({ uid, gid }: Stats, target: string): Promise<void> {
  const isOwn = uid === process.getuid?.() && gid === process.getgid?.();
  if (process.getuid?.() === 0 && !isOwn) await lchown(target, uid, gid);
}

async function copyToDisk(source: string, target: string): Promise<number> {
  await copyFile(source, target, constants.COPYFILE_FICLONE);
  await keepOwner(await lstat(source), target);
  const opened = await open(target, 'r');
  try {
    await opened.sync();
    return (await opened.stat()).size;
  } finally {
    await opened.close();
  }
}
