import { nodeErrorCode } from '@ringdown/errors';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BACKUP_FORMAT, MANIFEST_FILE, sealManifest, type Contents, type FileEntry } from './manifest.js';

/**
 * Writes a backup to a folder of another name beside the wanted one, and renames it when everything is on the disk: a folder with the
 * wanted name is always complete.
 */
export class BackupWriter {
  private readonly files: FileEntry[] = [];

  private constructor(
    private readonly target: string,
    private readonly folder: string,
  ) {}

  static async create(target: string): Promise<BackupWriter> {
    if (existsSync(target)) throw new Error(`${target} exists already, and is not overwritten`);
    await mkdir(dirname(target), { recursive: true });
    return new BackupWriter(target, await mkdtemp(join(dirname(target), `${basename(target)}.incomplete-`)));
  }

  get bytes(): number {
    return this.files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** One file; `produce` is given a function that appends to it. Returns what `produce` returns. */
  async write<T>(path: string, produce: (append: (chunk: Uint8Array) => Promise<void>) => Promise<T>): Promise<T> {
    const file = await this.create(path);
    const sha256 = createHash('sha256');
    let bytes = 0;
    try {
      const result = await produce(async (chunk) => {
        await writeAll(file, chunk);
        sha256.update(chunk);
        bytes += chunk.length;
      });
      await file.datasync();
      this.files.push({ path, bytes, sha256: sha256.digest('hex') });
      return result;
    } catch (error) {
      throw nodeErrorCode(error) === 'ENOSPC'
        ? new Error(`the disk of ${this.target} is full`, { cause: error })
        : error;
    } finally {
      await file.close();
    }
  }

  /** The folder gets its name: from now on it is a backup. */
  async complete(contents: Contents): Promise<void> {
    const manifest = sealManifest({ format: BACKUP_FORMAT, ...contents, files: [...this.files] });
    await this.write(MANIFEST_FILE, (append) => append(Buffer.from(manifest)));
    for (const path of new Set(this.files.map(({ path: each }) => dirname(each))))
      await syncFolder(join(this.folder, path));
    await syncFolder(this.folder);
    await rename(this.folder, this.target);
    await syncFolder(dirname(this.target));
  }

  async discard(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private async create(path: string): Promise<FileHandle> {
    const full = join(this.folder, path);
    await mkdir(dirname(full), { recursive: true, mode: 0o700 });
    return open(full, 'wx', 0o600);
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
