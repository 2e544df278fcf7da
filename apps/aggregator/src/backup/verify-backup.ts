import { nodeErrorCode } from '@ringdown/errors';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readManifest, type FileEntry, type Manifest } from './manifest.js';

/** Reads a backup as a whole. Throws an Error that names the first file that is missing, cut off or changed. */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const file of manifest.files) await assertUnchanged(folder, file);
  return manifest;
}

async function assertUnchanged(folder: string, { path, bytes, sha256 }: FileEntry): Promise<void> {
  const full = join(folder, path);
  const found = await fileSize(full);
  if (found === undefined) throw new Error(`the backup in ${folder} is not complete: ${path} is missing`);
  if (found < bytes) throw new Error(`${path} in ${folder} is cut off: it has ${found} of ${bytes} bytes`);
  if ((await fileDigest(full)) !== sha256) throw new Error(`${path} in ${folder} was changed: its checksum is wrong`);
}

async function fileSize(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (nodeErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function fileDigest(file: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(file), digest);
  return digest.digest('hex');
}
