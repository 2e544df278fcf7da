import { createReadStream, existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { BackupWriter } from './backup-writer.js';

/** What the embedded servers, the running process and the commands keep in the data folder. */
const NOT_COPIED = new Set(['nats', 'database', 'dev', 'restoring', 'restored', 'upgrades', 'log', '.writable']);
/** These also with a process id behind the name, while they are written. A restore writes the version by itself. */
const NOT_COPIED_FILES = ['running.json', 'running.lock', 'data-version.json'];

/** The file of a data file in a backup. */
export function dataFileInBackup(path: string): string {
  return `data/${path}`;
}

/** Copies the files of the data folder: people of the first start, photos, certificate, seeds. Returns their paths. */
export async function copyDataFiles(dataDir: string, writer: BackupWriter): Promise<string[]> {
  const paths = await filesIn(dataDir);
  for (const path of paths) {
    await writer.write(dataFileInBackup(path), async (append) => {
      for await (const chunk of createReadStream(join(dataDir, path))) await append(chunk);
    });
  }
  return paths;
}

async function filesIn(dataDir: string): Promise<string[]> {
  const found: string[] = [];
  for (const top of (await readdir(dataDir, { withFileTypes: true })).toSorted(byName)) {
    if (NOT_COPIED.has(top.name) || isNotCopied(top.name)) continue;
    if (top.isFile()) found.push(top.name);
    if (!top.isDirectory()) continue;
    const folder = join(dataDir, top.name);
    for (const each of (await readdir(folder, { withFileTypes: true, recursive: true })).toSorted(byName)) {
      const full = join(each.parentPath, each.name);
      if (each.isFile()) found.push(relative(dataDir, full));
    }
  }
  return found;
}

function isNotCopied(name: string): boolean {
  return NOT_COPIED_FILES.some((file) => name === file || name.startsWith(`${file}.`));
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

/** Whether a file or folder is in this folder, or the folder itself. */
export function isInside(file: string, folder: string): boolean {
  return `${resolve(file)}${sep}`.startsWith(resolve(folder) + sep);
}

/** The files that exist with other content. */
export async function changedFiles(dataDir: string, backup: string, paths: readonly string[]): Promise<string[]> {
  const changed: string[] = [];
  for (const path of paths) {
    const existing = join(dataDir, path);
    if (!existsSync(existing)) continue;
    if (!(await readFile(existing)).equals(await readFile(join(backup, dataFileInBackup(path))))) changed.push(path);
  }
  return changed;
}

export async function restoreDataFiles(dataDir: string, backup: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const target = join(dataDir, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    // Files of a backup are only for their owner.
    await cp(join(backup, dataFileInBackup(path)), `${target}.restoring`);
    await rename(`${target}.restoring`, target);
  }
}
