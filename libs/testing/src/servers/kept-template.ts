import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { programFile } from '../program-file.js';

/** In the output folder of the build, so that a clean build removes it. */
const KEPT = fileURLToPath(new URL('../../databases', import.meta.url));
const AGGREGATOR = fileURLToPath(new URL('../../../../../apps/aggregator', import.meta.url));

/** The folder of that name; if it is missing, `make` fills it. */
export async function keptTemplate(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const made = join(KEPT, name);
  if (existsSync(made)) return made;
  mkdirSync(KEPT, { recursive: true });
  const making = mkdtempSync(join(KEPT, 'making-'));
  await make(making);
  try {
    // Renamed when complete: other processes may create it at the same time, and this one may be killed at any moment.
    renameSync(making, made);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(made)) throw error;
  }
  return made;
}

/** With the program for it, as an operator would. */
export async function migrate(url: string): Promise<void> {
  const env = { ...process.env, DATABASE_URL: url };
  await promisify(execFile)(process.execPath, [programFile('aggregator', 'migrate')], { env });
}

export function digestOfMigrations(): string {
  const folder = join(AGGREGATOR, 'migrations');
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}
