import { hash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Digest of each file, by its path in the folder. */
export function folderDigests(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => lstatSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [name, hash('sha256', readFileSync(join(folder, name)))]));
}
